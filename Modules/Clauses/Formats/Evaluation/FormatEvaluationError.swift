/// The error for a condition of a format string that cannot be evaluated for a value.
public struct FormatEvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A message with the mistake and the values that are expected.
    public let description: String

    init(_ description: String) { self.description = description }
}
