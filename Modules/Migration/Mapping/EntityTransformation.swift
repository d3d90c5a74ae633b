import CofferStorage

/// Calls the transformer of a custom mapping for each row of an entity.
// Sendable: immutable; only the thread of the migration calls the transformer.
struct EntityTransformation: @unchecked Sendable {
    let transformer: CustomSchemaMappingProvider.CustomMapping.Transformer
    let sourceAttributes: [AttributeDescription]
    let destinationAttributes: [AttributeDescription]

    func run(_ row: MigratingRow) throws {
        let source = CustomSchemaMappingProvider.UnsafeSourceObject(row, sourceAttributes)
        let destination = CustomSchemaMappingProvider.UnsafeDestinationObject(
            row, destinationAttributes, sourceAttributes
        )
        try transformer(source) {
            row.create()
            return destination
        }
        if let failure = destination.failure { throw failure }
    }
}
