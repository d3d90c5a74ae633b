public import CofferStorage

extension FieldContainer.Coded where V: DefaultNSSecureCodable {
    /// A field of a class that archives securely, with a default.
    @inlinable
    public init(
        wrappedValue initial: @autoclosure () -> V, _ keyPath: KeyPathString,
        versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        customGetter: Getter? = nil, customSetter: Setter? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) {
        word = .next {
            Self.describe(
                keyPath, FieldCoding(FieldCoders.DefaultNSSecureCoding<V>.self), initial(), nil, versionHashModifier,
                previousVersionKeyPath, customGetter, customSetter, affectedByKeyPaths
            )
        }
    }

    /// A field of a class that archives securely, whose first value is computed for each object.
    @inlinable
    public init(
        _ keyPath: KeyPathString, versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        customGetter: Getter? = nil, customSetter: Setter? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = [],
        dynamicInitialValue: @escaping () -> V
    ) {
        word = .next {
            Self.describe(
                keyPath, FieldCoding(FieldCoders.DefaultNSSecureCoding<V>.self), nil, dynamicInitialValue,
                versionHashModifier,
                previousVersionKeyPath, customGetter, customSetter, affectedByKeyPaths
            )
        }
    }
}

extension FieldContainer.Coded where V: FieldOptionalType, V.Wrapped: DefaultNSSecureCodable {
    /// An optional field of a class that archives securely, nil unless a default is given.
    @inlinable
    public init(
        wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: KeyPathString,
        versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        customGetter: Getter? = nil, customSetter: Setter? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) {
        word = .next {
            Self.describe(
                keyPath, FieldCoding(optional: FieldCoders.DefaultNSSecureCoding<V.Wrapped>.self), initial(), nil,
                versionHashModifier,
                previousVersionKeyPath, customGetter, customSetter, affectedByKeyPaths
            )
        }
    }

    /// An optional field of a class that archives securely, whose first value is computed for each object.
    @inlinable
    public init(
        _ keyPath: KeyPathString, versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        customGetter: Getter? = nil, customSetter: Setter? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = [],
        dynamicInitialValue: @escaping () -> V
    ) {
        word = .next {
            Self.describe(
                keyPath, FieldCoding(optional: FieldCoders.DefaultNSSecureCoding<V.Wrapped>.self), nil,
                dynamicInitialValue, versionHashModifier,
                previousVersionKeyPath, customGetter, customSetter, affectedByKeyPaths
            )
        }
    }
}
