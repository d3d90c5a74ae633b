/// The public method `printCoreStoreSchema()` of a schema, which returns its Swift source.
extension DynamicSchema {
    /// Returns the schema as Swift source: a class for each entity, and the schema with its version lock.
    ///
    /// ```swift
    /// print(stack.modelSchema.printCoreStoreSchema())
    /// ```
    ///
    /// The call prints nothing itself. The source compiles, and describes a model with the same version hashes.
    /// Enumerations are written as their raw values, and coded fields as their bytes. Add initial values, accessors and
    /// indexes by hand.
    public func printCoreStoreSchema() -> String {
        SchemaPrinter(binding: _binding()).source(of: modelVersion)
    }
}
