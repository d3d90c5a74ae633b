/// A rule that every store must follow, and the code that checks the rule on a store.
///
/// A backend adopts the whole suite with one test:
///
/// ```swift
/// @Test(arguments: ConformanceCase.all)
/// func conformance(_ it: ConformanceCase) async throws {
///     try await it.run(on: RedisFixture.self)
/// }
/// ```
///
/// The documentation of `StorageInterface`, `StorageReader` and the requests defines the rules, and cites the ids of
/// their cases.
public struct ConformanceCase: Sendable, Identifiable {
    /// A stable name that a reader can search for: `fetching/null-sorts-first`.
    public let id: String
    /// The rule, as a sentence.
    public let rule: String

    let body: @Sendable (TestContext) throws -> Void

    init(_ id: String, _ rule: String, _ body: @escaping @Sendable (TestContext) throws -> Void) {
        self.id = id
        self.rule = rule
        self.body = body
    }
}

extension ConformanceCase: CustomStringConvertible {
    /// The id and the rule, as a test runner shows the case.
    public var description: String { "\(id): \(rule)" }
}
