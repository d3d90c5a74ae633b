/// Builds the layout of a model; checks names, parents, inverses, unique constraints and the number of columns.
struct ModelLayoutBuilder {
    let model: StoreModel
    let entitiesByName: [EntityName: Int]
    private(set) var entities: [EntityLayout] = []
    private(set) var relationships: [RelationshipLayout] = []
    private(set) var linkTables: [LinkTableLayout] = []

    private var columns: [[Column]?]
    private var declared: [[String: Int]]

    init(_ model: StoreModel) throws(StorageError) {
        self.model = model
        var names: [EntityName: Int] = [:]
        try Self.check(model.version, "The version of a model")
        for (index, entity) in model.entities.enumerated() {
            try Self.check(entity.name, "An entity's name")
            let what = "The name of a property of '\(entity.name)'"
            for attribute in entity.attributes { try Self.check(attribute.name, what) }
            for relationship in entity.relationships { try Self.check(relationship.name, what) }
            guard names.updateValue(index, forKey: entity.name) == nil else {
                throw .invalidModel("Two entities are named '\(entity.name)'. Give each its own name.")
            }
        }
        entitiesByName = names
        columns = Array(repeating: nil, count: model.entities.count)
        declared = Array(repeating: [:], count: model.entities.count)
    }

    /// Throws an error for a name that a table cannot have.
    private static func check(_ name: String, _ what: String) throws(StorageError) {
        if name.isEmpty { throw .invalidModel("\(what) is empty. Give it at least one character.") }
        if name.utf8.contains(0) {
            let shown = name.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "␀")
            throw .invalidModel("\(what), '\(shown)', has a NUL. Remove it.")
        }
    }

    mutating func build() throws(StorageError) {
        for index in model.entities.indices { _ = try ancestors(of: index) }
        for index in model.entities.indices { _ = try columns(of: index) }
        try layOutRelationships()
        for index in model.entities.indices { try layOutEntity(index) }
    }

    /// Returns the entity and its ancestors, beginning with the entity.
    private func ancestors(of index: Int) throws(StorageError) -> [Int] {
        var chain = [index]
        while let name = model.entities[chain[chain.count - 1]].parent {
            guard let parent = entitiesByName[name] else {
                throw .invalidModel(
                    "'\(model.entities[index].name)' inherits from '\(name)', which is not in version '\(model.version)'."
                )
            }
            guard !chain.contains(parent) else {
                throw .invalidModel("'\(model.entities[index].name)' inherits from itself.")
            }
            chain.append(parent)
        }
        return chain
    }

    /// Returns the inherited columns, then the entity's attributes, then its to-one relationships with their places.
    private mutating func columns(of index: Int) throws(StorageError) -> [Column] {
        if let known = columns[index] { return known }
        let entity = model.entities[index]
        var result: [Column] = []
        if let parent = entity.parent.flatMap({ entitiesByName[$0] }) { result = try columns(of: parent) }
        for attribute in entity.attributes {
            result.append(
                Column(
                    name: attribute.name, role: .attribute(attribute.type), kind: attribute.type.columnKind,
                    isOptional: attribute.isOptional, defaultValue: attribute.defaultValue, owner: index
                )
            )
        }
        for relationship in entity.relationships where !relationship.isToMany {
            result.append(
                Column(
                    name: relationship.name, role: .reference, kind: .reference, isOptional: true,
                    defaultValue: .null, owner: index
                )
            )
            if try inverse(of: relationship, in: index).description.isOrdered {
                result.append(
                    Column(
                        name: relationship.name + " position", role: .position(relationship: relationship.name),
                        kind: .integer, isOptional: true, defaultValue: .null, owner: index
                    )
                )
            }
        }
        let names = result.map(\.name) + entity.relationships.filter(\.isToMany).map(\.name)
        if let twice = Dictionary(grouping: names, by: { $0 }).first(where: { $0.value.count > 1 })?.key {
            throw .invalidModel("'\(entity.name)' has two properties named '\(twice)'. Give each its own name.")
        }
        guard result.count <= Row.slotLimit else {
            throw .invalidModel(
                "'\(entity.name)' has \(result.count) columns, but the limit is \(Row.slotLimit). Divide the entity."
            )
        }
        columns[index] = result
        return result
    }

    private func inverse(
        of relationship: RelationshipDescription, in entity: Int
    ) throws(StorageError) -> (entity: Int, description: RelationshipDescription) {
        let name = "\(model.entities[entity].name).\(relationship.name)"
        guard let destination = entitiesByName[relationship.destination] else {
            throw .invalidModel(
                "'\(name)' refers to '\(relationship.destination)', which is not in version '\(model.version)'."
            )
        }
        for candidate in try ancestors(of: destination) {
            let found = model.entities[candidate].relationships.first { $0.name == relationship.inverse }
            if let found { return (candidate, found) }
        }
        throw .invalidModel("'\(name)' has no inverse '\(relationship.inverse)' in '\(relationship.destination)'.")
    }

    private mutating func layOutRelationships() throws(StorageError) {
        var count = 0
        for (index, entity) in model.entities.enumerated() {
            for relationship in entity.relationships {
                declared[index][relationship.name] = count
                count += 1
            }
        }
        for (index, entity) in model.entities.enumerated() {
            for relationship in entity.relationships { try layOut(relationship, in: index) }
        }
    }

    private mutating func layOut(_ relationship: RelationshipDescription, in entity: Int) throws(StorageError) {
        let name = "\(model.entities[entity].name).\(relationship.name)"
        let (inverseEntity, inverse) = try inverse(of: relationship, in: entity)
        guard let index = declared[entity][relationship.name],
            let inverseIndex = declared[inverseEntity][inverse.name],
            inverse.inverse == relationship.name
        else {
            throw .invalidModel("The inverse of '\(name)', '\(inverse.name)', has another inverse.")
        }
        guard inverse.destination == model.entities[entity].name else {
            throw .invalidModel(
                "The inverse of '\(name)', '\(model.entities[inverseEntity].name).\(inverse.name)', refers "
                    + "to '\(inverse.destination)'. It must refer to '\(model.entities[entity].name)'."
            )
        }
        let storage: RelationshipLayout.Storage
        switch (relationship.isToMany, inverse.isToMany) {
        case (false, _):
            storage = try .reference(
                slot: slot(relationship.name, in: entity),
                positionSlot: inverse.isOrdered ? slot(relationship.name + " position", in: entity) : nil
            )
        case (true, false):
            storage = try .inverse(
                slot: slot(inverse.name, in: inverseEntity),
                positionSlot: relationship.isOrdered ? slot(inverse.name + " position", in: inverseEntity) : nil
            )
        case (true, true):
            storage = links(index, inverseIndex, relationship, inverse)
        }
        relationships.append(
            RelationshipLayout(
                name: relationship.name, owner: entity, index: index,
                destination: entitiesByName[relationship.destination] ?? inverseEntity, inverse: inverseIndex,
                isToMany: relationship.isToMany, isOrdered: relationship.isToMany && relationship.isOrdered,
                minCount: relationship.minCount, maxCount: relationship.maxCount, deleteRule: relationship.deleteRule,
                storage: storage
            )
        )
    }

    private mutating func links(
        _ index: Int, _ inverse: Int, _ description: RelationshipDescription,
        _ inverseDescription: RelationshipDescription
    ) -> RelationshipLayout.Storage {
        if let table = linkTables.first(where: { $0.first == inverse && $0.second == index }) {
            return .links(table: table.index, isFirst: false)
        }
        linkTables.append(
            LinkTableLayout(
                index: linkTables.count, first: index, second: inverse, isFirstOrdered: description.isOrdered,
                isSecondOrdered: inverseDescription.isOrdered
            )
        )
        return .links(table: linkTables.count - 1, isFirst: true)
    }

    private mutating func slot(_ column: String, in entity: Int) throws(StorageError) -> Int {
        guard let slot = try columns(of: entity).firstIndex(where: { $0.name == column }) else {
            throw .invalidModel("'\(model.entities[entity].name)' has no attribute '\(column)'.")
        }
        return slot
    }

    private mutating func layOutEntity(_ index: Int) throws(StorageError) {
        let entity = model.entities[index]
        let chain = try ancestors(of: index)
        let root = chain[chain.count - 1]
        guard index == root || entity.uniqueConstraints.isEmpty else {
            throw .invalidModel(
                "'\(entity.name)' declares a unique constraint, but only a root entity can declare one. "
                    + "Move the constraint to '\(model.entities[root].name)'."
            )
        }
        var descendants = [index]
        for candidate in model.entities.indices where candidate != index {
            if try ancestors(of: candidate).contains(index) { descendants.append(candidate) }
        }
        let ofEntity = chain.reversed().flatMap { owner in
            model.entities[owner].relationships.compactMap { declared[owner][$0.name] }.map { relationships[$0] }
        }
        let all = relationships
        let indexes = try entity.indexes.map { names throws(StorageError) in
            try attributeSlots(names, in: index, for: "An index")
        }
        let constraints = try model.entities[root].uniqueConstraints.map { names throws(StorageError) in
            try attributeSlots(names, in: root, for: "A unique constraint")
        }
        entities.append(
            EntityLayout(
                name: entity.name, index: index, parent: chain.count > 1 ? chain[1] : nil, root: root,
                isAbstract: entity.isAbstract, descendants: descendants, columns: try columns(of: index),
                relationships: ofEntity, isInverseToMany: { all[$0.inverse].isToMany }, indexes: indexes,
                uniqueConstraints: constraints
            )
        )
    }

    private mutating func attributeSlots(
        _ names: [String], in entity: Int, for purpose: String
    ) throws(StorageError) -> [Int] {
        let columns = try columns(of: entity)
        return try names.map { name throws(StorageError) in
            guard let slot = columns.firstIndex(where: { $0.name == name }), case .attribute = columns[slot].role else {
                throw .invalidModel(
                    "\(purpose) of '\(model.entities[entity].name)' names '\(name)', "
                        + "which is not an attribute of the entity. Name only attributes."
                )
            }
            return slot
        }
    }
}
