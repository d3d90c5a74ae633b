public import CofferStorage

/// The model of one schema version, as an object: entities, attributes, relationships.
///
/// Two models are equal when their content is.
public final class ObjectModel: Hashable, Sendable {
    /// The model's content.
    public let storeModel: StoreModel
    /// Why a store does not lead to this model, where that is what an error is about.
    let explanation: String?

    /// A model around a description.
    public convenience init(_ storeModel: StoreModel) {
        self.init(storeModel, explanation: nil)
    }

    /// A model around a description, for an error about a store that does not lead to it.
    package init(_ storeModel: StoreModel, explanation: String?) {
        self.storeModel = storeModel
        self.explanation = explanation
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
