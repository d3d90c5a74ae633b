public import Foundation

/// What a store says about itself.
public struct StoreMetadata: Hashable, Sendable, Codable {
    /// Made when the store was created; part of the id of every object in it.
    public var store: UUID
    /// The model of the data, as the store itself keeps it.
    public var model: StoreModel

    /// What a store with an id and a model says.
    public init(store: UUID, model: StoreModel) {
        self.store = store
        self.model = model
    }
}
