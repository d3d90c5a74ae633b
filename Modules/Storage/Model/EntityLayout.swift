/// The layout of an entity: a slot for each column, with the columns and relationships of its parents.
///
/// The slots of a sub-entity begin with the slots of its parent. A slot of a requested entity is therefore the same
/// slot in the rows of all its sub-entities.
public final class EntityLayout: Sendable {
    /// The entity's name.
    public let name: EntityName
    /// The index in ``ModelLayout/entities``.
    public let index: Int
    /// The index of the parent entity.
    public let parent: Int?
    /// The index of the root entity of the inheritance tree; all rows of the tree share the keys of the root.
    public let root: Int
    /// Whether only sub-entities can have rows.
    public let isAbstract: Bool
    /// The indexes of the entity itself and of all its sub-entities.
    public let descendants: [Int]
    /// The slots of the entity's rows, beginning with the inherited ones.
    public let columns: [Column]
    /// All relationships, as indexes in ``ModelLayout/relationships``, beginning with the inherited ones.
    public let relationships: [Int]
    /// The compound indexes that this entity declares, each as a list of slots.
    public let indexes: [[Int]]
    /// The unique constraints, each as a list of slots; only the root declares constraints.
    public let uniqueConstraints: [[Int]]
    /// The kinds of the columns, in the order of the slots.
    public let kinds: [ColumnKind]

    /// The slots of doubles and of decimals, whose values must be numbers.
    package let doubleSlots: [Int]
    package let decimalSlots: [Int]
    /// Whether some values lie in the tails of the entity's rows.
    package let hasTail: Bool
    /// The slots of attributes that must have a value.
    package let requiredSlots: ColumnSet
    /// The to-one relationships whose inverse is to-many.
    package let references: [Reference]
    /// The slots of the to-one relationships whose inverse is to-one.
    package let partnerSlots: [Int]
    /// Indexes of the to-many relationships with a minimum or maximum count.
    package let countedRelationships: [Int]

    /// A to-one relationship whose inverse is to-many.
    package struct Reference: Sendable {
        package let slot: Int
        package let positionSlot: Int?
        /// The index of the inverse.
        package let inverse: Int
    }

    private let slotsByName: [String: Int]
    private let relationshipsByName: [String: Int]

    init(
        name: EntityName, index: Int, parent: Int?, root: Int, isAbstract: Bool, descendants: [Int],
        columns: [Column], relationships: [RelationshipLayout], isInverseToMany: (RelationshipLayout) -> Bool,
        indexes: [[Int]], uniqueConstraints: [[Int]]
    ) {
        self.name = name
        self.index = index
        self.parent = parent
        self.root = root
        self.isAbstract = isAbstract
        self.descendants = descendants
        self.columns = columns
        self.relationships = relationships.map(\.index)
        self.indexes = indexes
        self.uniqueConstraints = uniqueConstraints
        kinds = columns.map(\.kind)
        slotsByName = Dictionary(
            columns.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first }
        )
        relationshipsByName = Dictionary(
            relationships.map { ($0.name, $0.index) }, uniquingKeysWith: { first, _ in first }
        )
        hasTail = columns.contains { $0.kind.isInTail }
        doubleSlots = columns.indices.filter { columns[$0].kind.isDouble }
        decimalSlots = columns.indices.filter { columns[$0].kind == .decimal }
        requiredSlots = ColumnSet(columns.indices.filter { !columns[$0].isOptional })
        references = relationships.compactMap { relationship in
            guard case .reference(let slot, let positionSlot) = relationship.storage, isInverseToMany(relationship)
            else {
                return nil
            }
            return Reference(slot: slot, positionSlot: positionSlot, inverse: relationship.inverse)
        }
        partnerSlots = relationships.compactMap { relationship in
            guard case .reference(let slot, _) = relationship.storage, !isInverseToMany(relationship) else {
                return nil
            }
            return slot
        }
        countedRelationships = relationships.filter { $0.isToMany && ($0.minCount > 0 || $0.maxCount > 0) }.map(\.index)
    }

    /// The slot of a column.
    public func slot(named name: String) -> Int? { slotsByName[name] }

    /// The index in ``ModelLayout/relationships`` of a relationship.
    public func relationship(named name: String) -> Int? { relationshipsByName[name] }

    /// The names that a key path may contain: attributes and relationships.
    public var propertyNames: [String] {
        columns.compactMap { if case .attribute = $0.role { $0.name } else { nil } } + relationshipsByName.keys.sorted()
    }
}
