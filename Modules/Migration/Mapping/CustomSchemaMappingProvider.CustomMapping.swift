public import CofferStorage

/// Defines the mapping of one entity in a migration step: insert, delete, copy or transform its objects.
extension CustomSchemaMappingProvider {
    /// The treatment of the objects of one entity, without its sub-entities: delete, insert, copy or transform.
    ///
    /// ```swift
    /// let mappings: Set<CustomSchemaMappingProvider.CustomMapping> = [
    ///     .deleteEntity(sourceEntity: "Draft"),
    ///     .transformEntity(
    ///         sourceEntity: "Person", destinationEntity: "Person",
    ///         transformer: CustomSchemaMappingProvider.CustomMapping.inferredTransformation
    ///     ),
    /// ]
    /// ```
    ///
    /// If a mapping names an entity that the version does not have, an assertion fails. A release build ends the
    /// migration with `invalidModel`, and the store is unchanged.
    public enum CustomMapping: Hashable {
        /// The objects are deleted. An entity of the same name in the next version begins empty.
        case deleteEntity(sourceEntity: EntityName)
        /// The entity begins empty. Objects of an entity of the same name are deleted.
        case insertEntity(destinationEntity: EntityName)
        /// The objects are copied unchanged. Both entities must have the same fields.
        case copyEntity(sourceEntity: EntityName, destinationEntity: EntityName)
        /// A closure converts each object to a new object, or leaves it out.
        case transformEntity(
            sourceEntity: EntityName, destinationEntity: EntityName, transformer: Transformer
        )

        /// Creates a new object from an old object.
        ///
        /// If the transformer does not call `createDestinationObject`, the object is left out. Further calls return the
        /// same new object. If the transformer throws, the migration ends, and the store is unchanged.
        public typealias Transformer = (
            _ sourceObject: UnsafeSourceObject, _ createDestinationObject: () -> UnsafeDestinationObject
        ) throws -> Void

        /// Copies each attribute that has the same name or a former name in the previous version.
        public static func inferredTransformation(
            _ sourceObject: UnsafeSourceObject, _ createDestinationObject: () -> UnsafeDestinationObject
        ) throws {
            let destination = createDestinationObject()
            destination.enumerateAttributes { attribute, sourceAttribute in
                if let sourceAttribute { destination.copy(sourceAttribute, to: attribute) }
            }
        }

        /// Whether two mappings treat the same entities in the same way; their closures are not compared.
        public static func == (lhs: CustomMapping, rhs: CustomMapping) -> Bool {
            lhs.source == rhs.source && lhs.destination == rhs.destination && lhs.isTransformed == rhs.isTransformed
        }

        /// Hashes the names of the entities.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(source)
            hasher.combine(destination)
        }

        var source: EntityName? {
            switch self {
            case .insertEntity: nil
            case .deleteEntity(let name), .copyEntity(let name, _), .transformEntity(let name, _, _): name
            }
        }

        var destination: EntityName? {
            switch self {
            case .deleteEntity: nil
            case .insertEntity(let name), .copyEntity(_, let name), .transformEntity(_, let name, _): name
            }
        }

        /// Whether the mapping transforms objects; the names of the entities distinguish the other kinds.
        private var isTransformed: Bool { if case .transformEntity = self { true } else { false } }
    }
}
