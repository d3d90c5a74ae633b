/// The failure of a case: the case, its rule, the expected result and the actual result.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// The ``ConformanceCase/id`` of the case.
    public let id: String
    /// The rule that was broken.
    public let rule: String
    /// The expected result and the actual result.
    public let message: String

    /// The id and the rule, followed by the message.
    public var description: String { "\(id): \(rule)\n\(message)" }
}
