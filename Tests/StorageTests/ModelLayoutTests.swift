import CofferStorage
import Testing

/// Models that contradict themselves, and the positions of properties in a model.
struct ModelLayoutTests {
    private static let name = AttributeDescription(name: "name", type: .stringAttributeType)

    private static func relationship(
        _ name: String, _ destination: String, _ inverse: String, isToMany: Bool = false, isOrdered: Bool = false
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name, destination: destination, inverse: inverse, isToMany: isToMany, isOrdered: isOrdered)
    }

    private static let contradictions: [(entities: [EntityDescription], message: String)] = [
        (
            [EntityDescription(name: "Dog"), EntityDescription(name: "Dog")],
            "Two entities are named 'Dog'. Give each its own name."
        ),
        (
            [EntityDescription(name: "Dog", parent: "Animal")],
            "'Dog' inherits from 'Animal', which is not in version 'V1'."
        ),
        (
            [EntityDescription(name: "Dog", parent: "Animal"), EntityDescription(name: "Animal", parent: "Dog")],
            "'Dog' inherits from itself."
        ),
        (
            [EntityDescription(name: "Dog", attributes: [name, name])],
            "'Dog' has two properties named 'name'. Give each its own name."
        ),
        (
            [
                EntityDescription(name: "Animal", attributes: [name]),
                EntityDescription(name: "Dog", parent: "Animal", attributes: [name]),
            ], "'Dog' has two properties named 'name'. Give each its own name."
        ),
        (
            [EntityDescription(name: "Dog", attributes: [name], relationships: [relationship("name", "Dog", "name")])],
            "'Dog' has two properties named 'name'. Give each its own name."
        ),
        (
            [EntityDescription(name: "Dog", relationships: [relationship("master", "Person", "dogs")])],
            "'Dog.master' refers to 'Person', which is not in version 'V1'."
        ),
        (
            [
                EntityDescription(name: "Dog", relationships: [relationship("master", "Person", "dogs")]),
                EntityDescription(name: "Person"),
            ], "'Dog.master' has no inverse 'dogs' in 'Person'."
        ),
        (
            [
                EntityDescription(name: "Dog", relationships: [relationship("master", "Person", "dogs")]),
                EntityDescription(
                    name: "Person", relationships: [relationship("dogs", "Dog", "walker", isToMany: true)]),
            ], "The inverse of 'Dog.master', 'dogs', has another inverse."
        ),
        (
            [
                EntityDescription(name: "Dog", relationships: [relationship("master", "Person", "dogs")]),
                EntityDescription(name: "Cat", relationships: [relationship("master", "Person", "dogs")]),
                EntityDescription(
                    name: "Person", relationships: [relationship("dogs", "Cat", "master", isToMany: true)]),
            ],
            "The inverse of 'Dog.master', 'Person.dogs', refers to 'Cat'. It must refer to 'Dog'."
        ),
        (
            [EntityDescription(name: "Dog", attributes: [name], indexes: [["name", "age"]])],
            "An index of 'Dog' names 'age', which is not an attribute of the entity. Name only attributes."
        ),
        (
            [
                EntityDescription(
                    name: "Dog", relationships: [relationship("friend", "Dog", "friend")],
                    uniqueConstraints: [["friend"]])
            ],
            "A unique constraint of 'Dog' names 'friend', which is not an attribute of the entity. Name only "
                + "attributes."
        ),
        (
            [
                EntityDescription(name: "Animal", attributes: [name]),
                EntityDescription(name: "Dog", parent: "Animal", uniqueConstraints: [["name"]]),
            ],
            "'Dog' declares a unique constraint, but only a root entity can declare one. Move the constraint to "
                + "'Animal'."
        ),
    ]

    @Test(arguments: contradictions.indices)
    func `a model that contradicts itself is refused with the names of the entity and the property`(_ index: Int) {
        let (entities, message) = Self.contradictions[index]
        let error = #expect(throws: StorageError.self) {
            try ModelLayout(StoreModel(version: "V1", entities: entities))
        }
        #expect(error?.code == .invalidModel)
        #expect(error?.message == message)
    }

    @Test(arguments: [65_535, 65_536])
    func `an entity with more columns than a row can hold is refused`(_ count: Int) {
        let attributes = (0..<count).map { AttributeDescription(name: "a\($0)", type: .integer64AttributeType) }
        let model = StoreModel(version: "V1", entities: [EntityDescription(name: "Wide", attributes: attributes)])
        let error = Result { () throws(StorageError) in try ModelLayout(model) }
        guard case .failure(let failure) = error else { return #expect(count == 65_535) }
        #expect(
            failure.message == "'Wide' has 65536 columns, but the limit is 65535. Divide the entity.")
    }

    /// Animals with masters, who have ordered animals; dogs with friends; clubs with ordered members.
    private static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Dog", parent: "Animal",
                attributes: [AttributeDescription(name: "tricks", type: .integer16AttributeType, isOptional: true)],
                relationships: [relationship("friends", "Dog", "friends", isToMany: true)],
                indexes: [["tricks", "name"]]),
            EntityDescription(
                name: "Animal", isAbstract: true, attributes: [name],
                relationships: [
                    relationship("master", "Person", "animals"),
                    relationship("clubs", "Club", "members", isToMany: true),
                ], uniqueConstraints: [["name"]]),
            EntityDescription(
                name: "Person",
                relationships: [
                    relationship("animals", "Animal", "master", isToMany: true, isOrdered: true),
                    relationship("spouse", "Person", "spouse"),
                ]),
            EntityDescription(
                name: "Club",
                relationships: [relationship("members", "Animal", "clubs", isToMany: true, isOrdered: true)]),
            EntityDescription(name: "Puppy", parent: "Dog"),
        ])

    @Test func `the slots of a parent are the first slots of its sub-entities`() throws {
        let layout = try ModelLayout(Self.model)
        #expect(layout.entity(named: "Animal")?.columns.map(\.name) == ["name", "master", "master position"])
        #expect(layout.entity(named: "Dog")?.columns.map(\.name) == ["name", "master", "master position", "tricks"])
        #expect(layout.entity(named: "Puppy")?.kinds == [.text, .reference, .integer, .integer])
        #expect(layout.entity(named: "Person")?.columns.map(\.name) == ["spouse"])
        #expect(layout.entity(named: "Club")?.columns == [])
        #expect(layout.entity(named: "Dog")?.slot(named: "tricks") == 3)
        #expect(layout.entity(named: "Dog")?.slot(named: "friends") == nil)
        #expect(layout.entity(named: "Dog")?.indexes == [[3, 0]])
        #expect(layout.entities.map(\.uniqueConstraints) == [[[0]], [[0]], [], [], [[0]]])
    }

    @Test func `an entity has its root, parent and descendants`() throws {
        let layout = try ModelLayout(Self.model)
        #expect(layout.entities.map(\.root) == [1, 1, 2, 3, 1])
        #expect(layout.entities.map(\.parent) == [1, nil, nil, nil, 0])
        #expect(layout.entities.map { $0.descendants.sorted() } == [[0, 4], [0, 1, 4], [2], [3], [4]])
        #expect(layout.entity(4, isKindOf: 1) && layout.entity(4, isKindOf: 4) && layout.entity(0, isKindOf: 1))
        #expect(!layout.entity(1, isKindOf: 0) && !layout.entity(2, isKindOf: 1))
        #expect(layout.index(of: "Club") == 3 && layout.index(of: "club") == nil)
    }

    @Test func `a relationship is stored in the rows of one side or in a link table`() throws {
        let layout = try ModelLayout(Self.model)
        func relationship(_ entity: String, _ name: String) throws -> RelationshipLayout {
            let index = try #require(layout.entity(named: entity)?.relationship(named: name))
            return layout.relationships[index]
        }
        let master = try relationship("Puppy", "master")
        let animals = try relationship("Person", "animals")
        #expect(master.storage == .reference(slot: 1, positionSlot: 2))
        #expect(animals.storage == .inverse(slot: 1, positionSlot: 2))
        #expect(layout.relationships[master.inverse] == animals && layout.relationships[animals.inverse] == master)
        #expect(!master.isOrdered && animals.isOrdered)

        let friends = try relationship("Dog", "friends")
        let clubs = try relationship("Animal", "clubs")
        let members = try relationship("Club", "members")
        #expect(friends.storage == .links(table: 0, isFirst: true) && friends.inverse == friends.index)
        #expect(clubs.storage == .links(table: 1, isFirst: true) && members.storage == .links(table: 1, isFirst: false))
        #expect(layout.linkTables.map(\.first) == [friends.index, clubs.index])
        #expect(layout.linkTables.map(\.second) == [friends.index, members.index])
        #expect(layout.linkTables.map(\.isFirstOrdered) == [false, false])
        #expect(layout.linkTables.map(\.isSecondOrdered) == [false, true])
        #expect(layout.oneToOneRelationships(of: 2).map(\.relationship.name) == ["spouse"])
        #expect(layout.oneToOneRelationships(of: 1).isEmpty)
    }
}
