/// The description of an attribute: its name, type, default value and renaming identifier.
public struct AttributeDescription: Hashable, Sendable, Codable {
    /// The attribute's name in the store.
    public var name: String
    /// The type of the values.
    public var type: AttributeType
    /// Whether the value may be null.
    public var isOptional: Bool
    /// The value of a new row, and of existing rows when a migration adds the attribute.
    public var defaultValue: Value
    /// A string that changes the entity's version hash, although the model does not change.
    public var versionHashModifier: String?
    /// The name of the same attribute in the previous version of the model.
    public var renamingIdentifier: String?
    /// Whether the values are UUIDs, as strings in lower case; the check of a store uses this.
    ///
    /// It changes no version hash. If the model of a program differs from the model of a store only in this property,
    /// the store keeps its own description.
    public var isUUID: Bool {
        get { knownUUID ?? false }
        set { knownUUID = newValue ? true : nil }
    }

    /// True or nil: models of earlier releases, without this property, can be read and are written unchanged.
    private var knownUUID: Bool?

    private enum CodingKeys: String, CodingKey {
        case name, type, isOptional, defaultValue, versionHashModifier, renamingIdentifier
        case knownUUID = "isUUID"
    }

    /// Creates an attribute; only its name and type are required.
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
