import CofferStorage

/// Prints a schema as Swift source: classes with property wrappers, the list of entities, and the version lock.
struct SchemaPrinter {
    let binding: SchemaBinding

    private var model: StoreModel { binding.layout.model }

    func source(of version: ModelVersion) -> String {
        let classes = parentsFirst.map { declaration(model.entities[$0], binding.entities[$0]) }
        let head = "import Coffer\n" + (model.entities.contains(where: needsFoundation) ? "import Foundation\n" : "")
        return head + "\n" + classes.joined(separator: "\n") + "\n" + schema(version)
    }

    /// The entities, each after its parent entity.
    private var parentsFirst: [Int] {
        func depth(_ index: Int) -> Int { binding.layout.entities[index].parent.map { depth($0) + 1 } ?? 0 }
        return model.entities.indices.sorted { (depth($0), $0) < (depth($1), $1) }
    }

    private func needsFoundation(_ entity: EntityDescription) -> Bool {
        entity.attributes.contains { [.blob, .date, .decimal].contains($0.type.columnKind) }
    }

    // MARK: Classes

    private func declaration(_ entity: EntityDescription, _ entityBinding: EntityBinding) -> String {
        let isInherited = model.entities.contains { $0.parent == entity.name }
        let parent = entity.parent.map(SwiftName.type) ?? "CoreStoreObject"
        let fields =
            entity.attributes.map(self.attribute)
            + entityBinding.ownVirtualFields.map {
                "@Field.Virtual(\(quoted($0.keyPath))) \(variable($0.keyPath)): Any?"
            }
            + entity.relationships.map { relationship($0, of: entity) }
        let head = "\(isInherited ? "" : "final ")class \(SwiftName.type(entity.name)): \(parent) {"
        return fields.isEmpty ? "\(head)}\n" : "\(head)\n\(fields.map { "    \($0)\n" }.joined())}\n"
    }

    private func attribute(_ attribute: AttributeDescription) -> String {
        var arguments = [quoted(attribute.name)]
        arguments += modifiers(attribute.versionHashModifier, attribute.renamingIdentifier)
        let type = SwiftValue.typeName(attribute.type) + (attribute.isOptional ? "?" : "")
        let value = SwiftValue.literal(attribute.defaultValue, attribute.type, isOptional: attribute.isOptional)
        let variable = "\(variable(attribute.name)): \(type)\(value.map { " = \($0)" } ?? "")"
        guard attribute.type == .transformableAttributeType else {
            return "@Field.Stored(\(arguments.joined(separator: ", "))) \(variable)"
        }
        arguments.append("coder: (encode: { $0 }, decode: { $0\(attribute.isOptional ? "" : " ?? Data()") })")
        return "@Field.Coded(\(arguments.joined(separator: ", ")))\n    \(variable)"
    }

    private func relationship(_ relationship: RelationshipDescription, of entity: EntityDescription) -> String {
        var arguments = [quoted(relationship.name)]
        if relationship.minCount > 0 { arguments.append("minCount: \(relationship.minCount)") }
        if relationship.maxCount > 0, relationship.isToMany { arguments.append("maxCount: \(relationship.maxCount)") }
        if declaresInverse(relationship, entity) {
            arguments.append("inverse: \\.\(SwiftName.projected(relationship.inverse))")
        }
        if relationship.deleteRule != .nullify { arguments.append("deleteRule: .\(relationship.deleteRule.rawValue)") }
        arguments += modifiers(relationship.versionHashModifier, relationship.renamingIdentifier)
        let destination = SwiftName.type(relationship.destination)
        let type =
            switch (relationship.isToMany, relationship.isOrdered) {
            case (false, _): "\(destination)?"
            case (true, true): "[\(destination)]"
            case (true, false): "Set<\(destination)>"
            }
        return "@Field.Relationship(\(arguments.joined(separator: ", "))) \(variable(relationship.name)): \(type)"
    }

    /// Whether this side of a relationship names the inverse; the later side of the model names it.
    private func declaresInverse(_ relationship: RelationshipDescription, _ entity: EntityDescription) -> Bool {
        func position(_ name: EntityName) -> Int { model.entities.firstIndex { $0.name == name } ?? 0 }
        let owner = inverseOwner(relationship)
        guard owner == entity.name else { return position(entity.name) > position(owner) }
        return relationship.name >= relationship.inverse
    }

    /// The entity that declares the inverse: the destination, or one of its parent entities.
    private func inverseOwner(_ relationship: RelationshipDescription) -> EntityName {
        var current = model.entity(named: relationship.destination)
        while let entity = current {
            if entity.relationships.contains(where: { $0.name == relationship.inverse }) { return entity.name }
            current = entity.parent.flatMap { model.entity(named: $0) }
        }
        return relationship.destination
    }

    private func modifiers(_ hash: String?, _ former: String?) -> [String] {
        [hash.map { "versionHashModifier: \(quoted($0))" }, former.map { "previousVersionKeyPath: \(quoted($0))" }]
            .compactMap(\.self)
    }

    private func variable(_ name: String) -> String { "var \(SwiftName.property(name))" }

    private func quoted(_ text: String) -> String { text.debugDescription }

    // MARK: The schema

    private func schema(_ version: ModelVersion) -> String {
        let lock = VersionLock(model.versionHashes).description
            .split(separator: "\n").map { $0.hasSuffix("]") && $0.hasPrefix(" ") ? "\($0)," : "\($0)" }
            .joined(separator: "\n    ")
        let isConfigured = !binding.configurations.isEmpty
        let entities = model.entities.map { entity in
            let names = binding.configurations.filter { $0.value.contains(entity.name) }.keys.sorted()
            let list = "[\(names.map(quoted).joined(separator: ", "))]"
            return "        \(self.entity(entity))\(isConfigured ? ": \(list)" : ""),\n"
        }
        return """
            let schema = CoreStoreSchema(
                modelVersion: \(quoted(version)),
                \(isConfigured ? "entityConfigurations" : "entities"): [
            \(entities.joined())    ],
                versionLock: \(lock)
            )

            """
    }

    private func entity(_ entity: EntityDescription) -> String {
        let type = SwiftName.type(entity.name)
        var arguments = [quoted(entity.name)]
        if entity.isAbstract { arguments.append("isAbstract: true") }
        if let modifier = entity.versionHashModifier { arguments.append("versionHashModifier: \(quoted(modifier))") }
        if !entity.indexes.isEmpty { arguments.append("indexes: \(keyPaths(entity.indexes, type))") }
        if !entity.uniqueConstraints.isEmpty {
            arguments.append("uniqueConstraints: \(constraints(entity, type))")
        }
        return "Entity<\(type)>(\(arguments.joined(separator: ", ")))"
    }

    private func constraints(_ entity: EntityDescription, _ type: String) -> String {
        let index = binding.layout.entities.firstIndex { $0.name == entity.name }
        guard let index, let policies = binding.uniqueConstraintPolicies[index] else {
            return keyPaths(entity.uniqueConstraints, type)
        }
        let parts = zip(entity.uniqueConstraints, policies).map { list, policy in
            "\(keyPaths([list], type).dropFirst().dropLast()): .\(policy.rawValue)"
        }
        return "[\(parts.joined(separator: ", "))]"
    }

    private func keyPaths(_ lists: [[String]], _ type: String) -> String {
        let lists = lists.map { "[\($0.map { "\\.\(SwiftName.projected($0))" }.joined(separator: ", "))]" }
        return "[\(lists.joined(separator: ", "))]"
    }
}
