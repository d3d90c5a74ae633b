package import CofferStorage

// Sendable: immutable once made; its closures are the user's own defaults and accessors, which CoreStore's API lets run
// on any context's queue.
/// The description of a field, which is created once for each class from the property wrapper of the field.
public final class FieldDescriptor: @unchecked Sendable {
    /// What a field is.
    package enum Kind {
        case stored(StoredField)
        case virtual(VirtualField)
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
        /// The user's accessors, of a type that only the wrapper knows.
        let customGetter: Any?
        let customSetter: Any?
        /// Whether its values are UUIDs.
        var isUUID = false
        /// How the value of a coded field becomes bytes, of a type that only the wrapper knows.
        var coding: Any?
        /// What a coded field reads when its bytes cannot be decoded, of the same type.
        var fallback: Any?
        /// Why the field cannot be used, when it cannot.
        var problem: String?
        /// Reads and writes by the accessors, for code that does not know the value's type.
        var hasAccessors: Bool { customGetter != nil || customSetter != nil }
    }

    /// A value that is kept with the object and not in the store.
    package struct VirtualField {
        /// What is read when no value was set, of a type that only the wrapper knows; nil when the getter decides.
        let fallback: Any?
        /// The user's accessors, of a type that only the wrapper knows.
        let customGetter: Any?
        let customSetter: Any?
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

    /// Whether only the field's getter sets its value.
    var isMemo: Bool {
        guard case .virtual(let field) = kind else { return false }
        return field.customGetter != nil && field.customSetter == nil
    }

    package let keyPath: KeyPathString
    package let kind: Kind
    package let versionHashModifier: () -> String?
    package let previousVersionKeyPath: () -> String?
    package let affectedByKeyPaths: () -> Set<KeyPathString>
    /// How its value is read by code that does not know its type.
    package let reading: FieldReading

    init(
        keyPath: KeyPathString, kind: Kind, reading: FieldReading, versionHashModifier: @escaping () -> String?,
        previousVersionKeyPath: @escaping () -> String?, affectedByKeyPaths: @escaping () -> Set<KeyPathString>
    ) {
        self.keyPath = keyPath
        self.kind = kind
        self.reading = reading
        self.versionHashModifier = versionHashModifier
        self.previousVersionKeyPath = previousVersionKeyPath
        self.affectedByKeyPaths = affectedByKeyPaths
    }
}

extension FieldDescriptor {
    /// Whether it is not in the store.
    var isVirtual: Bool { if case .virtual = kind { true } else { false } }
}
