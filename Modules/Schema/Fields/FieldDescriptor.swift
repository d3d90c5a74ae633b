package import CofferStorage

// Sendable: immutable once made; its closures are the user's own defaults and accessors, which CoreStore's API lets run
// on any context's queue.
/// What a field's wrapper says about it, once for each class.
public final class FieldDescriptor: @unchecked Sendable {
    /// What a field is.
    package enum Kind {
        case stored(StoredField)
        case relationship(RelationshipField)
    }

    /// A stored value.
    package struct StoredField {
        let type: AttributeType
        let isOptional: Bool
        /// The default for the model.
        let defaultValue: Value
        /// Writes the value a new object starts with; nil when that is the default.
        let dynamicInitialValue: (() -> any FieldStorableType)?
        /// The user's accessors, of a type that only the wrapper knows.
        let customGetter: Any?
        let customSetter: Any?
        /// Reads and writes by the accessors, for code that does not know the value's type.
        var hasAccessors: Bool { customGetter != nil || customSetter != nil }
    }

    /// A relationship.
    package struct RelationshipField {
        let isToMany: Bool
        let isOrdered: Bool
        let destination: CoreStoreObject.Type
        /// The key path of the inverse, when it was declared on this side.
        let inverse: (() -> KeyPathString)?
        let minCount: Int
        let maxCount: Int
        let deleteRule: DeleteRule
    }

    package let keyPath: KeyPathString
    package let kind: Kind
    package let versionHashModifier: () -> String?
    package let previousVersionKeyPath: () -> String?
    package let affectedByKeyPaths: () -> Set<KeyPathString>

    init(
        keyPath: KeyPathString, kind: Kind, versionHashModifier: @escaping () -> String?,
        previousVersionKeyPath: @escaping () -> String?, affectedByKeyPaths: @escaping () -> Set<KeyPathString>
    ) {
        self.keyPath = keyPath
        self.kind = kind
        self.versionHashModifier = versionHashModifier
        self.previousVersionKeyPath = previousVersionKeyPath
        self.affectedByKeyPaths = affectedByKeyPaths
    }

    var hasAccessors: Bool {
        if case .stored(let field) = kind { field.hasAccessors } else { false }
    }
}
