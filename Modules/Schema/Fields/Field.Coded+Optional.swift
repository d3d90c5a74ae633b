public import CofferStorage
public import Foundation

extension FieldContainer.Coded where V: FieldOptionalType {
    /// An optional field, nil unless a default is given.
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

    /// An optional field whose first value is computed for each object that is created.
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

    /// An optional field whose coder is a pair of closures, nil unless a default is given.
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
