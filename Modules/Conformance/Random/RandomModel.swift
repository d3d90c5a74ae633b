import CofferStorage

/// Generates random models with inheritance, all kinds of attributes and all kinds of relationships.
enum RandomModel {
    static func make(_ random: inout SeededGenerator) -> StoreModel {
        var entities: [EntityDescription] = []
        for root in 0..<random.int(2...3) {
            let first = entities.count
            entities.append(entity("R\(root)", parent: nil, &random))
            for child in 0..<(random.chance(60) ? random.int(1...3) : 0) {
                let parent = random.int(first...(entities.count - 1))
                entities.append(entity("R\(root)E\(child)", parent: entities[parent].name, &random))
            }
            if entities.count == first + 1, random.chance(70) { addConstraint(to: &entities[first], &random) }
        }
        for index in entities.indices {
            let name = entities[index].name
            entities[index].isAbstract = entities.contains { $0.parent == name } && random.chance(30)
        }
        for number in 0..<random.int(2...6) { relate(number, &entities, &random) }
        return StoreModel(version: "random", entities: entities.shuffled(using: &random))
    }

    private static func entity(
        _ name: String, parent: String?, _ random: inout SeededGenerator
    ) -> EntityDescription {
        var entity = EntityDescription(name: name, parent: parent)
        for number in 0..<random.int(1...4) {
            let attribute = AttributeDescription(
                name: "\(name)a\(number)", type: random.pick(Domain.types).type, isOptional: random.chance(70))
            entity.attributes.append(attribute)
        }
        if random.chance(40) { entity.indexes.append(entity.attributes.shuffled(using: &random).prefix(2).map(\.name)) }
        return entity
    }

    /// Adds an attribute whose values are unique, to an entity without sub-entities.
    private static func addConstraint(to entity: inout EntityDescription, _ random: inout SeededGenerator) {
        let type: AttributeType = random.chance(50) ? .stringAttributeType : .integer64AttributeType
        entity.attributes.append(.init(name: "unique", type: type, isOptional: true))
        entity.uniqueConstraints = [["unique"]]
    }

    private static func relate(_ number: Int, _ entities: inout [EntityDescription], _ random: inout SeededGenerator) {
        let one = random.int(0...(entities.count - 1))
        let other = random.chance(25) ? one : random.int(0...(entities.count - 1))
        let shape = random.int(0...9)
        let (there, back) = ("to\(number)", "back\(number)")
        if one == other, shape == 0 {
            entities[one].relationships.append(
                .init(name: there, destination: entities[one].name, inverse: there, isToMany: true))
            return
        }
        let isThereToMany = shape != 1
        let isBackToMany = shape >= 6
        entities[one].relationships.append(
            .init(
                name: there, destination: entities[other].name, inverse: back, isToMany: isThereToMany,
                isOrdered: isThereToMany && random.chance(50)))
        entities[other].relationships.append(
            .init(
                name: back, destination: entities[one].name, inverse: there, isToMany: isBackToMany,
                isOrdered: isBackToMany && random.chance(50)))
    }
}
