/// The progress of a migration: the current step, and the completed part of this step.
public struct MigrationReport: Hashable, Sendable {
    /// The index of the current step.
    public var step: Int
    /// The completed part of the step, from 0 to 1.
    public var fraction: Double

    /// Creates a report.
    public init(step: Int, fraction: Double) {
        self.step = step
        self.fraction = fraction
    }
}
