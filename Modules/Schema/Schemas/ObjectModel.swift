public import CofferStorage

/// The model of one schema version, as an object: entities, attributes, relationships.
///
/// Two models are equal when their content is.
public final class ObjectModel: Hashable, Sendable {
    /// The model's content.
    public let storeModel: StoreModel

    /// A model around a description.
    public init(_ storeModel: StoreModel) {
        self.storeModel = storeModel
    }

    /// Whether both describe the same model.
    public static func == (left: ObjectModel, right: ObjectModel) -> Bool {
        left === right || left.storeModel == right.storeModel
    }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storeModel.version)
        hasher.combine(storeModel.entities.count)
    }
}
