public import Foundation

/// The metadata of a store: its id and its model.
public struct StoreMetadata: Hashable, Sendable, Codable {
    /// The id of the store, which was created with the store and is part of the id of every object.
    public var store: UUID
    /// The model in the store.
    public var model: StoreModel

    /// Creates the description of a store.
    public init(store: UUID, model: StoreModel) {
        self.store = store
        self.model = model
    }
}
