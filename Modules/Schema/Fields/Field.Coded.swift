public import CofferStorage
public import Foundation

/// Adds the property wrapper `@Field.Coded`, which stores a value of any type as the bytes that a coder creates.
extension FieldContainer {
    /// A value of any type, which the store keeps as bytes of a coder.
    ///
    /// ```swift
    /// class Person: CoreStoreObject {
    ///     @Field.Coded("tags", coder: FieldCoders.Json.self)
    ///     var tags: [String] = []
    /// }
    /// ```
    ///
    /// The value is encoded when it is set, and decoded each time it is read. A pair of closures can replace the coder:
    ///
    /// ```swift
    /// class Person: CoreStoreObject {
    ///     @Field.Coded("day", coder: (encode: { Data([$0]) }, decode: { $0?.first ?? 1 }))
    ///     var day: UInt8 = 1
    /// }
    /// ```
    ///
    /// If a value cannot be encoded, the commit throws the error, unless the program sets another value before. If
    /// stored bytes cannot be decoded, the property returns the default, and the error is logged. Conditions can only
    /// compare the field with nil; other conditions make the request throw `invalidRequest`. The coder does not change
    /// the version hash.
    @propertyWrapper
    public struct Coded<V>: AttributeKeyPathStringConvertible {
        /// The class that declares the field.
        public typealias ObjectType = O
        /// The type of the values.
        public typealias DestinationValueType = V
        /// The type of the property.
        public typealias ReturnValueType = DestinationValueType

        /// A closure that replaces the reading of the field.
        public typealias Getter = (_ object: ObjectProxy<O>, _ field: ObjectProxy<O>.FieldProxy<V>) -> V
        /// A closure that replaces the writing of the field.
        public typealias Setter = (
            _ object: ObjectProxy<O>, _ field: ObjectProxy<O>.FieldProxy<V>, _ newValue: V
        ) -> Void

        @usableFromInline let word: FieldWord

        /// Creates a field with a default.
        ///
        /// - Parameters:
        ///   - initial: the default. It is evaluated once, when the class is first used, and must not name fields of
        ///     the class itself.
        ///   - keyPath: the attribute's name in the store.
        ///   - versionHashModifier: a string that changes the entity's version hash, although the model does not
        ///     change.
        ///   - previousVersionKeyPath: the attribute's name in the previous version of the model.
        ///   - fieldCoderType: the coder, which converts values to bytes and back.
        ///   - customGetter: replaces the reading of the field; `field.primitiveValue` is the stored value.
        ///   - customSetter: replaces the writing of the field.
        ///   - affectedByKeyPaths: fields whose changes are also reported as changes of this field.
        @inlinable
        public init<Coder: FieldCoderType>(
            wrappedValue initial: @autoclosure () -> V, _ keyPath: KeyPathString,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            previousVersionKeyPath: @autoclosure @escaping () -> String? = nil, coder fieldCoderType: Coder.Type,
            customGetter: Getter? = nil, customSetter: Setter? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
        ) where Coder.FieldStoredValue == V {
            word = .next {
                Self.describe(
                    keyPath, FieldCoding(fieldCoderType), initial(), nil, versionHashModifier,
                    previousVersionKeyPath, customGetter, customSetter, affectedByKeyPaths
                )
            }
        }

        /// Creates a field whose first value is computed for each new object.
        ///
        /// The other parameters are the same as in the initialiser with a default.
        ///
        /// - Parameter dynamicInitialValue: evaluated before `create` returns.
        @inlinable
        public init<Coder: FieldCoderType>(
            _ keyPath: KeyPathString, versionHashModifier: @autoclosure @escaping () -> String? = nil,
            previousVersionKeyPath: @autoclosure @escaping () -> String? = nil, coder fieldCoderType: Coder.Type,
            customGetter: Getter? = nil, customSetter: Setter? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = [],
            dynamicInitialValue: @escaping () -> V
        ) where Coder.FieldStoredValue == V {
            word = .next {
                Self.describe(
                    keyPath, FieldCoding(fieldCoderType), nil, dynamicInitialValue, versionHashModifier,
                    previousVersionKeyPath, customGetter, customSetter, affectedByKeyPaths
                )
            }
        }

        /// Creates a field with a default, whose values are converted to bytes and back by closures.
        ///
        /// - Parameter coder: `encode` converts a value to bytes, or returns nil to store null. `decode` must return a
        ///   value for nil.
        @inlinable
        public init(
            wrappedValue initial: @autoclosure () -> V, _ keyPath: KeyPathString,
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

        /// Creates a field whose first value is computed for each new object, and whose coder is a pair of closures.
        @inlinable
        public init(
            _ keyPath: KeyPathString, versionHashModifier: @autoclosure @escaping () -> String? = nil,
            previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
            coder: (encode: (V) -> Data?, decode: (Data?) -> V),
            customGetter: Getter? = nil, customSetter: Setter? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = [],
            dynamicInitialValue: @escaping () -> V
        ) {
            word = .next {
                Self.describe(
                    keyPath, FieldCoding(coder.encode, coder.decode), nil, dynamicInitialValue, versionHashModifier,
                    previousVersionKeyPath, customGetter, customSetter, affectedByKeyPaths
                )
            }
        }

        /// Not available: only an object of the class can read and write the field.
        @available(*, unavailable, message: "Use this property wrapper only in a subclass of CoreStoreObject.")
        public var wrappedValue: V {
            get { Diagnostics.abort("A field has no value of its own.") }
            nonmutating set { Diagnostics.abort("A field has no value of its own.") }
        }

        /// The field itself, for key paths: `\.$colour`.
        public var projectedValue: Self { self }

        /// Reads and writes the field of an object.
        @inlinable
        public static subscript(
            _enclosingInstance instance: O,
            wrapped wrappedKeyPath: ReferenceWritableKeyPath<O, V>,
            storage storageKeyPath: ReferenceWritableKeyPath<O, Self>
        ) -> V {
            get { instance.readCoded(instance[keyPath: storageKeyPath].word) }
            set { instance.writeCoded(newValue, instance[keyPath: storageKeyPath].word) }
        }

        /// The attribute's name in the store.
        public var cs_keyPathString: String { word.descriptor?.keyPath ?? "" }

        @usableFromInline
        static func describe(
            _ keyPath: KeyPathString, _ coding: FieldCoding<V>, _ initial: V?, _ dynamic: (() -> V)?,
            _ versionHashModifier: @escaping () -> String?, _ previousVersionKeyPath: @escaping () -> String?,
            _ getter: Getter?, _ setter: Setter?, _ affectedBy: @escaping () -> Set<KeyPathString>
        ) -> FieldDescriptor {
            FieldDescriptor(
                keyPath: keyPath,
                kind: .stored(.coded(coding, isOptional: V.self is any FieldOptionalType.Type, initial, dynamic)),
                accessors: .init(
                    getter.map { FieldReader.adapting($0, .coded) },
                    setter.map { FieldWriter.adapting($0, .coded) },
                    (initial.map { value in { value } } ?? dynamic).map { FieldFallback(value: $0) }
                ),
                reading: FieldReading { (object: CoreStoreObject, word) in
                    object.readCoded(word) as V
                } ofRow: {
                    try? coding.decode($0.isNull($1) ? nil : $0.blob($1))
                },
                versionHashModifier: versionHashModifier, previousVersionKeyPath: previousVersionKeyPath,
                affectedByKeyPaths: affectedBy
            )
        }
    }
}
