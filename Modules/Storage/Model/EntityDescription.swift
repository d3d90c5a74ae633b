/// The description of an entity: its attributes, relationships, indexes, constraints and parent entity.
public struct EntityDescription: Hashable, Sendable, Codable {
    /// The entity's name, unique in the model.
    public var name: EntityName
    /// The name of the parent entity.
    public var parent: EntityName?
    /// Whether only sub-entities can have rows.
    public var isAbstract: Bool
    /// The attributes that the entity declares itself.
    public var attributes: [AttributeDescription]
    /// The relationships that the entity declares itself.
    public var relationships: [RelationshipDescription]
    /// The indexes, each as a list of attribute names, which may be inherited.
    public var indexes: [[String]]
    /// The unique constraints, each as a list of attribute names.
    ///
    /// No two rows of the inheritance tree may share the values of such a list.
    ///
    /// If one of the values of a row is null, the constraint does not apply to the row (`merging/null-takes-no-part`,
    /// `merging/update-frees`).
    public var uniqueConstraints: [[String]]
    /// A string that changes the entity's version hash, although the model does not change.
    public var versionHashModifier: String?
    /// The name of the same entity in the previous version of the model.
    public var renamingIdentifier: String?

    /// Creates an entity; only its name is required.
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
