/// What a store did that it must not do: the case, its rule, what was expected and what was found.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// The ``ConformanceCase/id`` of the case.
    public let id: String
    /// The rule that was broken.
    public let rule: String
    /// What was expected and what was found.
    public let message: String

    /// The id and the rule, and below them the message.
    public var description: String { "\(id): \(rule)\n\(message)" }
}
