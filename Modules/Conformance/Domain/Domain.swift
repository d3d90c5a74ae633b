import CofferStorage

/// The model of most cases: people, pets, books, tags, and entities for edge cases.
enum Domain {
    static let model = StoreModel(
        version: "V1",
        entities: [creature, person, student, pet, book, tag, everything, wide] + EdgeCaseNames.entities
    )

    private static let creature = EntityDescription(
        name: "Creature", isAbstract: true,
        attributes: [
            .init(name: "name", type: .stringAttributeType),
            .init(name: "order", type: .integer64AttributeType, isOptional: true),
            .init(name: "born", type: .dateAttributeType, isOptional: true),
        ],
        relationships: [.init(name: "tags", destination: "Tag", inverse: "bearers", isToMany: true)],
        indexes: [["name"], ["order", "name"]]
    )

    private static let person = EntityDescription(
        name: "Person", parent: "Creature",
        attributes: [
            .init(name: "nick", type: .stringAttributeType, isOptional: true),
            .init(name: "height", type: .doubleAttributeType, isOptional: true),
            .init(name: "isActive", type: .booleanAttributeType, defaultValue: .boolean(true)),
        ],
        relationships: [
            .init(name: "pets", destination: "Pet", inverse: "owner", isToMany: true, isOrdered: true),
            .init(name: "mentor", destination: "Person", inverse: "pupils", isToMany: false),
            .init(name: "pupils", destination: "Person", inverse: "mentor", isToMany: true),
            .init(name: "friends", destination: "Person", inverse: "friends", isToMany: true),
            .init(name: "favorites", destination: "Book", inverse: "readers", isToMany: true, isOrdered: true),
        ]
    )

    private static let student = EntityDescription(
        name: "Student", parent: "Person",
        attributes: [.init(name: "grade", type: .integer16AttributeType, isOptional: true)]
    )

    private static let pet = EntityDescription(
        name: "Pet", parent: "Creature",
        attributes: [.init(name: "species", type: .stringAttributeType, isOptional: true)],
        relationships: [.init(name: "owner", destination: "Person", inverse: "pets", isToMany: false)]
    )

    private static let book = EntityDescription(
        name: "Book",
        attributes: [
            .init(name: "title", type: .stringAttributeType),
            .init(name: "isbn", type: .stringAttributeType, isOptional: true),
            .init(name: "shelf", type: .stringAttributeType, isOptional: true),
            .init(name: "place", type: .integer32AttributeType, isOptional: true),
            .init(name: "price", type: .decimalAttributeType, isOptional: true),
            .init(name: "pages", type: .integer64AttributeType, isOptional: true),
        ],
        relationships: [
            .init(name: "readers", destination: "Person", inverse: "favorites", isToMany: true, isOrdered: true),
            .init(name: "sequel", destination: "Book", inverse: "prequel", isToMany: false),
            .init(name: "prequel", destination: "Book", inverse: "sequel", isToMany: false),
        ],
        indexes: [["shelf", "place"]],
        uniqueConstraints: [["isbn"], ["shelf", "place"]]
    )

    private static let tag = EntityDescription(
        name: "Tag",
        attributes: [.init(name: "label", type: .stringAttributeType)],
        relationships: [.init(name: "bearers", destination: "Creature", inverse: "tags", isToMany: true)]
    )

    /// The types of the attributes of "Everything"; each type has a required and an optional attribute.
    ///
    /// The name of the optional attribute begins with "optional", such as "optional integer".
    static let types: [(name: String, type: AttributeType)] = [
        ("integer", .integer64AttributeType), ("double", .doubleAttributeType), ("decimal", .decimalAttributeType),
        ("boolean", .booleanAttributeType), ("date", .dateAttributeType), ("text", .stringAttributeType),
        ("blob", .binaryDataAttributeType),
    ]

    private static let everything = EntityDescription(
        name: "Everything",
        attributes: types.flatMap { name, type in
            [
                AttributeDescription(name: name, type: type),
                AttributeDescription(name: "optional \(name)", type: type, isOptional: true),
            ]
        }
    )

    /// A number of columns that is greater than the number of bits in a word.
    static let wideCount = 140

    private static let wide = EntityDescription(
        name: "Wide",
        attributes: (0..<wideCount).map { .init(name: "column\($0)", type: .integer64AttributeType, isOptional: true) }
    )
}
