/// How far a migration is.
public struct MigrationReport: Hashable, Sendable {
    /// The index of the step that is under way.
    public var step: Int
    /// How much of the step is done, from 0 to 1.
    public var fraction: Double

    /// How far a migration is.
    public init(step: Int, fraction: Double) {
        self.step = step
        self.fraction = fraction
    }
}
