import CofferStorage

/// Calls the transformer of a custom mapping for each row of an entity.
// Sendable: immutable; the one thread that migrates calls the transformer.
struct EntityTransformation: @unchecked Sendable {
    private let transformer: CustomSchemaMappingProvider.CustomMapping.Transformer
    private let sourceAttributes: [AttributeDescription]
    private let destinationAttributes: [AttributeDescription]

    init(
        _ transformer: @escaping CustomSchemaMappingProvider.CustomMapping.Transformer,
        _ sourceAttributes: [AttributeDescription], _ destinationAttributes: [AttributeDescription]
    ) {
        self.transformer = transformer
        self.sourceAttributes = sourceAttributes
        self.destinationAttributes = destinationAttributes
    }

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
