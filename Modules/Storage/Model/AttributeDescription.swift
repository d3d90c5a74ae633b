/// One attribute of an entity: a named, typed value.
public struct AttributeDescription: Hashable, Sendable, Codable {
    /// The attribute's name in the store.
    public var name: String
    /// What the values are.
    public var type: AttributeType
    /// Whether there may be no value.
    public var isOptional: Bool
    /// The value of a new row, and of rows that exist when the attribute is added to a store.
    public var defaultValue: Value
    /// Changes the entity's version hash when nothing else does.
    public var versionHashModifier: String?
    /// The name of the same attribute in the previous version of the model.
    public var renamingIdentifier: String?
    /// Whether the values are UUIDs, each the text of one in lower case; for the check of a store.
    ///
    /// Changes no version hash. A store keeps its description when a program opens it whose model differs in this alone.
    public var isUUID: Bool {
        get { knownUUID ?? false }
        set { knownUUID = newValue ? true : nil }
    }

    /// True or nil, so that the models of earlier releases can be read and are written as they were.
    private var knownUUID: Bool?

    private enum CodingKeys: String, CodingKey {
        case name, type, isOptional, defaultValue, versionHashModifier, renamingIdentifier
        case knownUUID = "isUUID"
    }

    /// An attribute; only its name and type must be given.
    public init(
        name: String, type: AttributeType, isOptional: Bool = false, defaultValue: Value = .null,
        versionHashModifier: String? = nil, renamingIdentifier: String? = nil, isUUID: Bool = false
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.versionHashModifier = versionHashModifier
        self.renamingIdentifier = renamingIdentifier
        knownUUID = isUUID ? true : nil
    }
}
