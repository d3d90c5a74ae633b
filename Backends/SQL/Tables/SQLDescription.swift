public import CofferStorage

/// The description of a store: its format, its id and its model.
public struct SQLDescription: Sendable {
    /// The format of the tables.
    public let format: SQLFormat
    /// The id and the model.
    public let metadata: StoreMetadata
}
