import CofferStorage

/// Creates the next version of a model for a migration: renames, changes or drops entities and properties.
extension StoreModel {
    /// Returns the next version of the model, with some changes.
    func next(_ version: ModelVersion = "V2", _ change: (inout StoreModel) -> Void) -> StoreModel {
        var model = self
        model.version = version
        for index in model.entities.indices { model.entities[index].forgetRenaming() }
        change(&model)
        return model
    }

    mutating func change(_ entity: EntityName, _ change: (inout EntityDescription) -> Void) {
        guard let index = entities.firstIndex(where: { $0.name == entity }) else { return }
        change(&entities[index])
    }

    mutating func change(_ entity: EntityName, attribute: String, _ change: (inout AttributeDescription) -> Void) {
        self.change(entity) { $0.change(attribute: attribute, change) }
    }

    mutating func change(
        _ entity: EntityName, relationship: String, _ change: (inout RelationshipDescription) -> Void
    ) {
        self.change(entity) { $0.change(relationship: relationship, change) }
    }

    /// Renames an entity in the whole model, and records its former name.
    mutating func rename(_ entity: EntityName, to name: EntityName) {
        change(entity) {
            $0.name = name
            $0.renamingIdentifier = entity
        }
        for index in entities.indices where entities[index].parent == entity { entities[index].parent = name }
        changeRelationships(to: entity) { $0.destination = name }
    }

    /// Renames a property in the whole model, and records its former name.
    ///
    /// - Parameter isRemembered: whether a relationship records its former name.
    mutating func rename(_ entity: EntityName, _ property: String, to name: String, isRemembered: Bool = true) {
        change(entity) { $0.rename(property, to: name, isRemembered: isRemembered) }
        changeRelationships(to: entity) { if $0.inverse == property { $0.inverse = name } }
    }

    /// Changes all relationships, or all relationships to an entity.
    mutating func changeRelationships(
        to entity: EntityName? = nil, _ change: (inout RelationshipDescription) -> Void
    ) {
        for index in entities.indices {
            for place in entities[index].relationships.indices
            where entity == nil || entities[index].relationships[place].destination == entity {
                change(&entities[index].relationships[place])
            }
        }
    }

    /// Removes an entity, and the relationships to this entity.
    mutating func drop(_ entity: EntityName) {
        entities.removeAll { $0.name == entity }
        for index in entities.indices { entities[index].relationships.removeAll { $0.destination == entity } }
    }
}

extension EntityDescription {
    fileprivate mutating func change(attribute: String, _ change: (inout AttributeDescription) -> Void) {
        guard let index = attributes.firstIndex(where: { $0.name == attribute }) else { return }
        change(&attributes[index])
    }

    fileprivate mutating func change(relationship: String, _ change: (inout RelationshipDescription) -> Void) {
        guard let index = relationships.firstIndex(where: { $0.name == relationship }) else { return }
        change(&relationships[index])
    }

    fileprivate mutating func forgetRenaming() {
        renamingIdentifier = nil
        for index in attributes.indices { attributes[index].renamingIdentifier = nil }
        for index in relationships.indices { relationships[index].renamingIdentifier = nil }
    }

    fileprivate mutating func rename(_ property: String, to name: String, isRemembered: Bool) {
        change(attribute: property) {
            $0.name = name
            $0.renamingIdentifier = property
        }
        change(relationship: property) {
            $0.name = name
            $0.renamingIdentifier = isRemembered ? property : nil
        }
        indexes = indexes.map { $0.map { $0 == property ? name : $0 } }
        uniqueConstraints = uniqueConstraints.map { $0.map { $0 == property ? name : $0 } }
    }
}
