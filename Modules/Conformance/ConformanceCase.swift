/// One rule that every store must keep, and the code that tries a store on it.
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
/// The rules are those of the documentation of `StorageInterface`, `StorageReader` and the requests, which cite the
/// ids of their cases.
public struct ConformanceCase: Sendable, Identifiable {
    /// A stable name to search for: `fetching/null-sorts-first`.
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
    /// The id and the rule; what a test runner shows for the case.
    public var description: String { "\(id): \(rule)" }
}
