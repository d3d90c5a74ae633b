import CofferStorage

/// Creates a model from classes; checks the registration of classes, and the inverse of each relationship.
struct SchemaBuilder {
    let modelVersion: ModelVersion
    let entityConfigurations: [(entity: DynamicEntity, configurations: Set<String>)]

    func build() -> SchemaBinding {
        let entities = entityConfigurations.map(\.entity)
        do throws(StorageError) {
            let layout = try ModelLayout(model(entities))
            return binding(layout, entities.map(\.objectType), problem: nil)
        } catch {
            Diagnostics.assert(false, error.message)
            return binding(emptyLayout, [], problem: error)
        }
    }

    private func binding(
        _ layout: ModelLayout, _ types: [CoreStoreObject.Type], problem: StorageError?
    ) -> SchemaBinding {
        var configurations: [String: Set<EntityName>] = [:]
        for (entity, names) in entityConfigurations {
            for name in names { configurations[name, default: []].insert(entity.entityName) }
        }
        let policies = entityConfigurations.map { ($0.entity.entityName, $0.entity.uniqueConstraintPolicies) }
        return SchemaBinding(
            layout: layout, types: types, configurations: configurations,
            policies: Dictionary(policies, uniquingKeysWith: { first, _ in first }), problem: problem)
    }

    /// A layout without entities, for a schema that cannot be used.
    private var emptyLayout: ModelLayout {
        do throws(StorageError) {
            return try ModelLayout(StoreModel(version: "invalid", entities: []))
        } catch {
            Diagnostics.abort(error.message)
        }
    }

    private func model(_ entities: [DynamicEntity]) throws(StorageError) -> StoreModel {
        var byType: [ObjectIdentifier: DynamicEntity] = [:]
        for entity in entities {
            if let other = byType.updateValue(entity, forKey: ObjectIdentifier(entity.type)) {
                throw .invalidModel(
                    "The class '\(entity.type)' is registered as '\(other.entityName)' and as '\(entity.entityName)'. "
                        + "Register it once."
                )
            }
        }
        let inverses = try inverses(entities, byType)
        for entity in entities { try requireSuperclasses(of: entity, byType) }
        let descriptions = try entities.map { entity throws(StorageError) in
            try describe(entity, byType, inverses)
        }
        return StoreModel(version: modelVersion, entities: descriptions)
    }

    /// Refuses an entity that inherits fields of a class that is not an entity; their values would not be saved.
    private func requireSuperclasses(
        of entity: DynamicEntity, _ byType: [ObjectIdentifier: DynamicEntity]
    ) throws(StorageError) {
        for type in entity.objectType.superclassesOfObjects where byType[ObjectIdentifier(type)] == nil {
            guard let field = MetaObjects.ownFields(of: type).first else { continue }
            throw .invalidModel(
                "'\(entity.entityName)' inherits the field '\(field.keyPath)' of the class '\(type)', which is not "
                    + "registered as an entity. Add 'Entity<\(type)>(\"\(type)\", isAbstract: true)' to the schema."
            )
        }
    }

    private func describe(
        _ entity: DynamicEntity, _ byType: [ObjectIdentifier: DynamicEntity], _ inverses: [FieldName: String]
    ) throws(StorageError) -> EntityDescription {
        let parents = entity.objectType.superclassesOfObjects.compactMap { byType[ObjectIdentifier($0)] }
        var description = EntityDescription(
            name: entity.entityName, parent: parents.first?.entityName, isAbstract: entity.isAbstract,
            indexes: entity.indexes, uniqueConstraints: entity.uniqueConstraints,
            versionHashModifier: entity.versionHashModifier
        )
        for field in MetaObjects.ownFields(of: entity.objectType) {
            switch field.kind {
            case .stored(let stored):
                if let problem = stored.problem {
                    throw .invalidModel("'\(entity.entityName).\(field.keyPath)' \(problem)")
                }
                description.attributes.append(
                    AttributeDescription(
                        name: field.keyPath, type: stored.type, isOptional: stored.isOptional,
                        defaultValue: stored.defaultValue, versionHashModifier: field.versionHashModifier(),
                        renamingIdentifier: field.previousVersionKeyPath(), isUUID: stored.isUUID
                    )
                )
            case .virtual: continue
            case .relationship(let relationship):
                let name = FieldName(entity: entity.entityName, field: field.keyPath)
                guard let inverse = inverses[name] else {
                    throw .invalidModel(
                        "'\(name)' has no inverse. Declare 'inverse:' on exactly one of the two sides."
                    )
                }
                let destination = byType[ObjectIdentifier(relationship.destination)]
                description.relationships.append(
                    RelationshipDescription(
                        name: field.keyPath, destination: destination?.entityName ?? "", inverse: inverse,
                        isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
                        minCount: relationship.minCount, maxCount: relationship.maxCount,
                        deleteRule: relationship.deleteRule, versionHashModifier: field.versionHashModifier(),
                        renamingIdentifier: field.previousVersionKeyPath()
                    )
                )
            }
        }
        return description
    }

    /// Returns the inverse of each relationship, found from the sides that declare an inverse.
    private func inverses(
        _ entities: [DynamicEntity], _ byType: [ObjectIdentifier: DynamicEntity]
    ) throws(StorageError) -> [FieldName: String] {
        var result: [FieldName: String] = [:]
        for entity in entities {
            for field in MetaObjects.ownFields(of: entity.objectType) {
                guard case .relationship(let relationship) = field.kind else { continue }
                let name = FieldName(entity: entity.entityName, field: field.keyPath)
                guard let destination = byType[ObjectIdentifier(relationship.destination)] else {
                    throw .invalidModel(
                        "'\(name)' refers to class '\(relationship.destination)', which is not registered as an entity."
                    )
                }
                guard let inverse = relationship.inverse?() else { continue }
                let owner = owner(of: inverse, destination.objectType, byType) ?? destination
                let other = FieldName(entity: owner.entityName, field: inverse)
                for (one, another) in [(name, inverse), (other, field.keyPath)] {
                    if let known = result.updateValue(another, forKey: one), known != another {
                        throw .invalidModel("'\(one)' is the inverse of both '\(known)' and '\(another)'. Keep one.")
                    }
                    if one == name, other != name, declaresInverse(other, entities) {
                        throw .invalidModel("'\(name)' and '\(other)' both declare 'inverse:'. Keep it on one side.")
                    }
                }
            }
        }
        return result
    }

    private func declaresInverse(_ name: FieldName, _ entities: [DynamicEntity]) -> Bool {
        guard let entity = entities.first(where: { $0.entityName == name.entity }) else { return false }
        return MetaObjects.ownFields(of: entity.objectType).contains {
            if case .relationship(let relationship) = $0.kind {
                $0.keyPath == name.field && relationship.inverse != nil
            } else {
                false
            }
        }
    }

    /// The entity that declares a field of a class.
    private func owner(
        of field: String, _ type: CoreStoreObject.Type, _ byType: [ObjectIdentifier: DynamicEntity]
    ) -> DynamicEntity? {
        let owner = ([type] + type.superclassesOfObjects).first { type in
            MetaObjects.ownFields(of: type).contains { $0.keyPath == field }
        }
        return owner.flatMap { byType[ObjectIdentifier($0)] }
    }
}

/// A field of an entity, for look-ups and messages.
private struct FieldName: Hashable, CustomStringConvertible {
    let entity: EntityName
    let field: String

    var description: String { "\(entity).\(field)" }
}
