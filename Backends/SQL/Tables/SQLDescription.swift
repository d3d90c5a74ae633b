public import CofferStorage

/// What a store says about itself, and how its tables are laid out.
public struct SQLDescription: Sendable {
    /// How the tables are laid out.
    public let format: SQLFormat
    /// The id and the model.
    public let metadata: StoreMetadata
}
