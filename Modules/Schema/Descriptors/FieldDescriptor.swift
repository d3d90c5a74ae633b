package import CofferStorage

// Sendable: immutable once made; its closures are the user's own defaults and accessors, which CoreStore's API lets run
// on any context's queue.
/// The description of a field, which is created once for each class from the property wrapper of the field.
public final class FieldDescriptor: @unchecked Sendable {
    /// What a field is.
    package enum Kind {
        case stored(StoredField)
        /// A value that is kept with the object and not in the store.
        case virtual
        case relationship(RelationshipField)
    }

    /// A stored value.
    package struct StoredField {
        let type: AttributeType
        let isOptional: Bool
        /// The default for the model.
        let defaultValue: Value
        /// Makes the value a new object starts with; nil when that is the default.
        let dynamicInitialValue: (() throws -> any FieldStorableType)?
        /// Whether its values are UUIDs.
        var isUUID = false
        /// How the value of a coded field becomes bytes, of a type that only the wrapper knows.
        var coding: Any?
        /// Why the field cannot be used, when it cannot.
        var problem: String?
    }

    /// The user's accessors, and the value that replaces a missing one, of types that only the wrapper knows.
    struct Accessors {
        let getter: Any?
        let setter: Any?
        /// The value of a coded field whose bytes cannot be decoded, and of a virtual field that was not set; nil if the
        /// getter returns it.
        let fallback: Any?

        static var none: Accessors { Accessors(getter: nil, setter: nil, fallback: nil) }
    }

    /// A relationship.
    package struct RelationshipField {
        package let isToMany: Bool
        package let isOrdered: Bool
        let destination: any DynamicObject.Type
        /// The key path of the inverse, when it was declared on this side.
        let inverse: (() -> KeyPathString)?
        let minCount: Int
        let maxCount: Int
        let deleteRule: DeleteRule
    }

    /// Whether it is not in the store.
    var isVirtual: Bool { if case .virtual = kind { true } else { false } }

    /// Whether the field has accessors of its own.
    package var hasAccessors: Bool { isVirtual || accessors.getter != nil || accessors.setter != nil }

    /// Whether the value is kept as bytes that a coder makes of it.
    package var isCoded: Bool { if case .stored(let field) = kind { field.coding != nil } else { false } }

    /// Whether only the field's getter sets its value.
    var isMemo: Bool { isVirtual && accessors.getter != nil && accessors.setter == nil }

    package let keyPath: KeyPathString
    package let kind: Kind
    let accessors: Accessors
    package let versionHashModifier: () -> String?
    package let previousVersionKeyPath: () -> String?
    package let affectedByKeyPaths: () -> Set<KeyPathString>
    /// How its value is read by code that does not know its type.
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
