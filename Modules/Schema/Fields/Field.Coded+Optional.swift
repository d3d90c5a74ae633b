public import CofferStorage
public import Foundation

/// Declares optional coded fields: the initialisers of `@Field.Coded` for optional values.
extension FieldContainer.Coded where V: FieldOptionalType {
    /// Creates an optional field with the default nil, unless another default is given.
    @inlinable
    public init<Coder: FieldCoderType>(
        wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: KeyPathString,
        versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil, coder: Coder.Type,
        customGetter: Getter? = nil, customSetter: Setter? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) where Coder.FieldStoredValue == V.Wrapped {
        word = .next {
            Self.describe(
                keyPath, FieldCoding(optional: coder), initial(), nil, versionHashModifier,
                previousVersionKeyPath, customGetter, customSetter, affectedByKeyPaths
            )
        }
    }

    /// Creates an optional field whose first value is computed for each new object.
    @inlinable
    public init<Coder: FieldCoderType>(
        _ keyPath: KeyPathString, versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil, coder: Coder.Type,
        customGetter: Getter? = nil, customSetter: Setter? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = [],
        dynamicInitialValue: @escaping () -> V
    ) where Coder.FieldStoredValue == V.Wrapped {
        word = .next {
            Self.describe(
                keyPath, FieldCoding(optional: coder), nil, dynamicInitialValue, versionHashModifier,
                previousVersionKeyPath, customGetter, customSetter, affectedByKeyPaths
            )
        }
    }

    /// Creates an optional field whose coder is a pair of closures; its default is nil, unless another is given.
    @inlinable
    public init(
        wrappedValue initial: @autoclosure () -> V = nil, _ keyPath: KeyPathString,
        versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        coder: (encode: (V) -> Data?, decode: (Data?) -> V),
        customGetter: Getter? = nil, customSetter: Setter? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) {
        word = .next {
            Self.describe(
                keyPath, FieldCoding(coder.encode, coder.decode), initial(), nil, versionHashModifier,
                previousVersionKeyPath, customGetter, customSetter, affectedByKeyPaths
            )
        }
    }
}
