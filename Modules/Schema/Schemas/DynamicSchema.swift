public import CofferStorage

/// One version of a model.
public protocol DynamicSchema: AnyObject {
    /// The name of the version.
    var modelVersion: ModelVersion { get }

    /// The model. Made once; the rules of entities and fields are checked then.
    func rawModel() -> ObjectModel

    /// What a data stack needs to make objects of this schema's entities.
    func _binding() -> SchemaBinding
}
