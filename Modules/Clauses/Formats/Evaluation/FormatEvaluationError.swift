/// Says why a condition has no answer for some value.
public struct FormatEvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what is needed.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
