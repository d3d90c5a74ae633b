public import CofferStorage

/// The protocol of schemas: one version of a model, with its name and its entities.
public protocol DynamicSchema: AnyObject {
    /// The name of the version.
    var modelVersion: ModelVersion { get }

    /// Returns the model, which is created once; the rules of entities and fields are checked at this time.
    func rawModel() -> ObjectModel

    /// Returns the binding that a data stack needs to create objects of the schema's entities.
    func _binding() -> SchemaBinding
}
