import CofferStorage

extension DynamicSchema {
    /// The schema as Swift source: a class for each entity, and the schema with its version lock.
    ///
    /// The text is returned, not printed. It compiles, and gives a model with the same version hashes. Enumerations come
    /// out as their raw values, coded fields as their bytes, and initial values, accessors and indexes are yours to add.
    public func printCoreStoreSchema() -> String {
        SchemaPrinter(binding: _binding()).source(of: modelVersion)
    }
}
