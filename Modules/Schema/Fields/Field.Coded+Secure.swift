public import CofferStorage

/// Declares coded fields of Foundation classes with secure coding, without an explicit coder.
extension FieldContainer.Coded where V: DefaultNSSecureCodable {
    /// Creates a field of a class with secure coding, with a default.
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

    /// Creates a field of a class with secure coding, whose first value is computed for each new object.
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
    /// Creates an optional field of a class with secure coding, with the default nil unless another default is given.
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

    /// Creates an optional field of a class with secure coding, whose first value is computed for each new object.
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
