/// One entity: the attributes and relationships it declares itself, and the entity it inherits the others from.
public struct EntityDescription: Hashable, Sendable, Codable {
    /// The entity's name, unique in the model.
    public var name: EntityName
    /// The name of the entity this one inherits from.
    public var parent: EntityName?
    /// Whether only sub-entities have rows.
    public var isAbstract: Bool
    /// The attributes that the entity declares itself.
    public var attributes: [AttributeDescription]
    /// The relationships that the entity declares itself.
    public var relationships: [RelationshipDescription]
    /// Each a list of attribute names, inherited ones included.
    public var indexes: [[String]]
    /// Each a list of attribute names whose values, together, no two rows of the inheritance tree share.
    ///
    /// Rows in which one of the values is null do not take part (`merging/null-takes-no-part`, `merging/update-frees`).
    public var uniqueConstraints: [[String]]
    /// Changes the entity's version hash when nothing else does.
    public var versionHashModifier: String?
    /// The name of the same entity in the previous version of the model.
    public var renamingIdentifier: String?

    /// An entity; only its name must be given.
    public init(
        name: EntityName, parent: EntityName? = nil, isAbstract: Bool = false,
        attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
        indexes: [[String]] = [], uniqueConstraints: [[String]] = [], versionHashModifier: String? = nil,
        renamingIdentifier: String? = nil
    ) {
        self.name = name
        self.parent = parent
        self.isAbstract = isAbstract
        self.attributes = attributes
        self.relationships = relationships
        self.indexes = indexes
        self.uniqueConstraints = uniqueConstraints
        self.versionHashModifier = versionHashModifier
        self.renamingIdentifier = renamingIdentifier
    }
}
