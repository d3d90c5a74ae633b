public import CofferStorage

/// Adds the property wrapper `@Field.Virtual`, which keeps a value in memory and not in the store.
extension FieldContainer {
    /// A value of any type that the object keeps in memory, and the store does not keep.
    ///
    /// ```swift
    /// class Person: CoreStoreObject {
    ///     @Field.Stored("first") var first: String = ""
    ///     @Field.Stored("last") var last: String = ""
    ///     @Field.Virtual("name", customGetter: { object, field in
    ///         let name = field.primitiveValue ?? "\(object.$first.value) \(object.$last.value)"
    ///         field.primitiveValue = name
    ///         return name
    ///     })
    ///     var name: String
    /// }
    /// ```
    ///
    /// Each object has its own value, and loses the value when the object is deallocated or refreshed by
    /// `refreshAsFault()`. A getter may keep a computed value in `primitiveValue`, and this notifies no observer. An
    /// object of a data stack discards the kept value when a commit changes the object. An object of a transaction
    /// discards the kept value when the object takes over values of other transactions. It also discards the kept value
    /// after an undo, a redo or a commit of a child transaction. If the program itself has set the value, the value is
    /// not discarded in these cases.
    ///
    /// No store has the field. If a clause names the field, the request throws `invalidRequest`.
    @propertyWrapper
    public struct Virtual<V>: AttributeKeyPathStringConvertible {
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

        /// Creates a field whose value a getter computes.
        ///
        /// - Parameters:
        ///   - keyPath: the field's name, which is unique in the class.
        ///   - customGetter: returns the value; `field.primitiveValue` is the value that was set last.
        ///   - customSetter: replaces the writing of the field.
        ///   - affectedByKeyPaths: fields whose changes are also reported as changes of this field.
        @inlinable
        public init(
            _ keyPath: KeyPathString, customGetter: @escaping Getter, customSetter: Setter? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
        ) {
            word = .next { Self.describe(keyPath, nil, customGetter, customSetter, affectedByKeyPaths) }
        }

        /// Not available: a virtual field has no default, because its getter determines the first value.
        @available(*, unavailable, message: "A virtual field cannot have a default. Give it a 'customGetter'.")
        public init(
            wrappedValue initial: @autoclosure @escaping () -> V, _ keyPath: KeyPathString,
            versionHashModifier: @autoclosure @escaping () -> String? = nil, customGetter: Getter? = nil,
            customSetter: Setter? = nil, affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
        ) {
            Diagnostics.abort("A virtual field cannot have a default.")
        }

        /// Not available: only an object of the class can read and write the field.
        @available(*, unavailable, message: "Use this property wrapper only in a subclass of CoreStoreObject.")
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
                kind: .virtual,
                accessors: .init(
                    getter.map { FieldReader.adapting($0, .virtual) },
                    setter.map { FieldWriter.adapting($0, .virtual) },
                    fallback.map { FieldFallback(value: $0) }
                ),
                reading: FieldReading { (object: CoreStoreObject, word) in object.readVirtual(word) as V },
                versionHashModifier: { nil },
                previousVersionKeyPath: { nil }, affectedByKeyPaths: affectedBy
            )
        }
    }
}

extension FieldContainer.Virtual where V: FieldOptionalType {
    /// Creates an optional field, which is nil until it is set, unless it has a getter.
    @inlinable
    public init(
        _ keyPath: KeyPathString, customGetter: Getter? = nil, customSetter: Setter? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) {
        word = .next { Self.describe(keyPath, { nil }, customGetter, customSetter, affectedByKeyPaths) }
    }
}
