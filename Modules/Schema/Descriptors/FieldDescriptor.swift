package import CofferStorage

// Sendable: immutable after its creation. Its closures are the user's defaults and accessors, which may run on the
// queue of any context, as in CoreStore's API.
/// The description of a field, which is created once for each class from the property wrapper of the field.
public final class FieldDescriptor: @unchecked Sendable {
    /// The kind of a field.
    package enum Kind {
        case stored(StoredField)
        /// A value that is part of the object and not in the store.
        case virtual
        case relationship(RelationshipField)
    }

    /// A stored value.
    package struct StoredField {
        let type: AttributeType
        let isOptional: Bool
        /// The default for the model.
        let defaultValue: Value
        /// The closure that creates the initial value of a new object; nil if this value is the default.
        let dynamicInitialValue: (() throws -> any FieldStorableType)?
        /// Whether its values are UUIDs.
        var isUUID = false
        /// The conversion of a coded field's value to bytes; only the wrapper knows its type.
        var coding: Any?
        /// The reason why the field cannot be used; nil if it can be used.
        var problem: String?
    }

    /// The user's accessors, and the value that replaces a missing value; only the wrapper knows their types.
    struct Accessors {
        let getter: Any?
        let setter: Any?
        /// The value of a coded field that cannot be decoded, and of a virtual field that was not set.
        ///
        /// Nil if the getter returns the value.
        let fallback: Any?

        static var none: Accessors { Accessors(getter: nil, setter: nil, fallback: nil) }
    }

    /// A relationship.
    package struct RelationshipField {
        package let isToMany: Bool
        package let isOrdered: Bool
        let destination: any DynamicObject.Type
        /// The key path of the inverse if it was declared on this side; nil otherwise.
        let inverse: (() -> KeyPathString)?
        let minCount: Int
        let maxCount: Int
        let deleteRule: DeleteRule
    }

    /// Whether the field is not in the store.
    var isVirtual: Bool { if case .virtual = kind { true } else { false } }

    /// Whether the field has accessors of its own.
    package var hasAccessors: Bool { isVirtual || accessors.getter != nil || accessors.setter != nil }

    /// Whether a coder converts the value to bytes for the store.
    package var isCoded: Bool { if case .stored(let field) = kind { field.coding != nil } else { false } }

    /// Whether only the field's getter sets its value.
    var isMemo: Bool { isVirtual && accessors.getter != nil && accessors.setter == nil }

    package let keyPath: KeyPathString
    package let kind: Kind
    let accessors: Accessors
    package let versionHashModifier: () -> String?
    package let previousVersionKeyPath: () -> String?
    package let affectedByKeyPaths: () -> Set<KeyPathString>
    /// Reads the value of the field for code that does not know its type.
    package let reading: FieldReading

    init(
        keyPath: KeyPathString, kind: Kind, accessors: Accessors = .none, reading: FieldReading,
        versionHashModifier: @escaping () -> String?, previousVersionKeyPath: @escaping () -> String?,
        affectedByKeyPaths: @escaping () -> Set<KeyPathString>
    ) {
        self.keyPath = keyPath
        self.kind = kind
        self.accessors = accessors
        self.reading = reading
        self.versionHashModifier = versionHashModifier
        self.previousVersionKeyPath = previousVersionKeyPath
        self.affectedByKeyPaths = affectedByKeyPaths
    }
}
