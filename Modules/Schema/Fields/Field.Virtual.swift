public import CofferStorage

extension FieldContainer {
    /// A value of any type that is kept with the object and not in the store.
    ///
    /// ```swift
    /// @Field.Virtual(
    ///     "displayName",
    ///     customGetter: { object, field in
    ///         if let known = field.primitiveValue { return known }
    ///         let made = "\(object.$title.value) \(object.$name.value)"
    ///         field.primitiveValue = made
    ///         return made
    ///     }
    /// )
    /// var displayName: String
    /// ```
    ///
    /// Every object of every context has its own value, and loses it when it is let go of or refreshed as a fault.
    /// Setting `primitiveValue` tells nobody, so a getter may keep what it computed. An object of a data stack forgets
    /// that when a commit changes the object. In a transaction nothing but your own code forgets it. Clauses refuse virtual fields, since no store knows them.
    @propertyWrapper
    public struct Virtual<V>: AttributeKeyPathStringConvertible {
        /// The class that declares the field.
        public typealias ObjectType = O
        /// The type of the values.
        public typealias DestinationValueType = V
        /// What reading the field gives.
        public typealias ReturnValueType = DestinationValueType

        /// Replaces reading.
        public typealias Getter = (_ object: ObjectProxy<O>, _ field: ObjectProxy<O>.FieldProxy<V>) -> V
        /// Replaces writing.
        public typealias Setter = (
            _ object: ObjectProxy<O>, _ field: ObjectProxy<O>.FieldProxy<V>, _ newValue: V
        ) -> Void

        @usableFromInline let word: FieldWord

        /// A field that a getter computes.
        ///
        /// - Parameters:
        ///   - keyPath: the field's name, unique in the class.
        ///   - customGetter: gives the value; `field.primitiveValue` is what was set.
        ///   - customSetter: replaces writing.
        ///   - affectedByKeyPaths: the fields whose changes are also reported as changes of this one.
        @inlinable
        public init(
            _ keyPath: KeyPathString, customGetter: @escaping Getter, customSetter: Setter? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
        ) {
            word = .next { Self.describe(keyPath, nil, customGetter, customSetter, affectedByKeyPaths) }
        }

        /// Not available: what a virtual field reads at first is up to its getter.
        @available(*, unavailable, message: "A virtual field cannot have a default. Give it a 'customGetter'.")
        public init(
            wrappedValue initial: @autoclosure @escaping () -> V, _ keyPath: KeyPathString,
            versionHashModifier: @autoclosure @escaping () -> String? = nil, customGetter: Getter? = nil,
            customSetter: Setter? = nil, affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
        ) {
            Diagnostics.abort("A virtual field cannot have a default.")
        }

        /// Not available: a field is read and written by the object that declares it.
        @available(*, unavailable, message: "Use it as the wrapper of a property of a CoreStoreObject class.")
        public var wrappedValue: V {
            get { Diagnostics.abort("A field has no value of its own.") }
            nonmutating set { Diagnostics.abort("A field has no value of its own.") }
        }

        /// The field itself, for key paths: `\.$displayName`.
        public var projectedValue: Self { self }

        /// Reads and writes the field of an object.
        @inlinable
        public static subscript(
            _enclosingInstance instance: O,
            wrapped wrappedKeyPath: ReferenceWritableKeyPath<O, V>,
            storage storageKeyPath: ReferenceWritableKeyPath<O, Self>
        ) -> V {
            get { instance.readVirtual(instance[keyPath: storageKeyPath].word) }
            set { instance.writeVirtual(newValue, instance[keyPath: storageKeyPath].word) }
        }

        /// The field's name.
        public var cs_keyPathString: String { word.descriptor?.keyPath ?? "" }

        @usableFromInline
        static func describe(
            _ keyPath: KeyPathString, _ fallback: (() -> V)?, _ getter: Getter?, _ setter: Setter?,
            _ affectedBy: @escaping () -> Set<KeyPathString>
        ) -> FieldDescriptor {
            FieldDescriptor(
                keyPath: keyPath,
                kind: .virtual(
                    .init(
                        fallback: fallback.map { FieldFallback(value: $0) },
                        customGetter: getter.map { FieldReader.adapting($0) { .virtual($0, $1) } },
                        customSetter: setter.map { FieldWriter.adapting($0) { .virtual($0, $1) } }
                    )
                ),
                reading: FieldReading { (object: CoreStoreObject, word) in object.readVirtual(word) as V },
                versionHashModifier: { nil },
                previousVersionKeyPath: { nil }, affectedByKeyPaths: affectedBy
            )
        }
    }
}

extension FieldContainer.Virtual where V: FieldOptionalType {
    /// An optional field, nil until it is set unless a getter says otherwise.
    @inlinable
    public init(
        _ keyPath: KeyPathString, customGetter: Getter? = nil, customSetter: Setter? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) {
        word = .next { Self.describe(keyPath, { nil }, customGetter, customSetter, affectedByKeyPaths) }
    }
}
