public import CofferStorage

/// The model of one version of a schema: entities, attributes and relationships.
///
/// Two models are equal if their contents are equal.
public final class ObjectModel: Hashable, Sendable {
    /// The model's content.
    public let storeModel: StoreModel
    /// The reason why a store cannot be converted to this model, for the message of an error; nil otherwise.
    let explanation: String?

    /// Creates a model from a description.
    public convenience init(_ storeModel: StoreModel) { self.init(storeModel, explanation: nil) }

    /// Creates a model for an error about a store that cannot be converted to the model.
    package init(_ storeModel: StoreModel, explanation: String?) {
        self.storeModel = storeModel
        self.explanation = explanation
    }

    /// Returns whether both values describe the same model.
    public static func == (left: ObjectModel, right: ObjectModel) -> Bool {
        left === right || left.storeModel == right.storeModel
    }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storeModel.version)
        hasher.combine(storeModel.entities.count)
    }
}
