public import CofferStorage

/// Adds the property wrapper `@Field.Relationship`, which reads and sets related objects.
extension FieldContainer {
    /// A reference to one object (`D?`), to several objects (`Set<D>`), or to several objects in order (`[D]`).
    ///
    /// ```swift
    /// class Dog: CoreStoreObject {
    ///     @Field.Relationship("master")
    ///     var master: Person?
    /// }
    ///
    /// class Person: CoreStoreObject {
    ///     @Field.Relationship("pets", inverse: \.$master)
    ///     var pets: Set<Dog>
    /// }
    /// ```
    ///
    /// Each relationship has an inverse, which exactly one of the two sides declares. A change of one side changes the
    /// other side at once. A loop that reads the same relationship of several objects causes one request for all of
    /// them.
    ///
    /// A property cannot throw. If the store cannot be read, the relationship is empty, the error is logged, and the
    /// transaction or read throws the error at its end. If a relationship refers to objects of another transaction, the
    /// commit throws `unsupported`.
    @propertyWrapper
    public struct Relationship<V: FieldRelationshipType>: RelationshipKeyPathStringConvertible {
        /// The class that declares the field.
        public typealias ObjectType = O
        /// The class of the related objects.
        public typealias DestinationValueType = V.DestinationObjectType
        /// The type of the property.
        public typealias ReturnValueType = V
        /// The effect of a deletion on the related objects.
        public typealias DeleteRule = CofferStorage.DeleteRule

        @usableFromInline let word: FieldWord

        /// Not available: a relationship has no default.
        @available(*, unavailable, message: "A relationship cannot have a default.")
        public init(
            wrappedValue initial: @autoclosure @escaping () -> V, _ keyPath: KeyPathString, minCount: Int = 0,
            maxCount: Int = 0, deleteRule: DeleteRule = .nullify,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            previousVersionKeyPath: @autoclosure @escaping () -> String? = nil
        ) {
            Diagnostics.abort("A relationship cannot have a default.")
        }

        /// Not available: a relationship has no default.
        @available(*, unavailable, message: "A relationship cannot have a default.")
        public init<D>(
            wrappedValue initial: @autoclosure @escaping () -> V, _ keyPath: KeyPathString, minCount: Int = 0,
            maxCount: Int = 0,
            inverse: KeyPath<V.DestinationObjectType, FieldContainer<V.DestinationObjectType>.Relationship<D>>,
            deleteRule: DeleteRule = .nullify, versionHashModifier: @autoclosure @escaping () -> String? = nil,
            previousVersionKeyPath: @autoclosure @escaping () -> String? = nil
        ) {
            Diagnostics.abort("A relationship cannot have a default.")
        }

        /// Not available: only an object of the class can read and write the relationship.
        @available(*, unavailable, message: "Use this property wrapper only in a subclass of CoreStoreObject.")
        public var wrappedValue: V {
            get { Diagnostics.abort("A field has no value of its own.") }
            nonmutating set { Diagnostics.abort("A field has no value of its own.") }
        }

        /// The field itself, for key paths: `\.$pets`.
        public var projectedValue: Self { self }

        /// Reads and writes the related objects of an object.
        @inlinable
        public static subscript(
            _enclosingInstance instance: O,
            wrapped wrappedKeyPath: ReferenceWritableKeyPath<O, V>,
            storage storageKeyPath: ReferenceWritableKeyPath<O, Self>
        ) -> V {
            @inline(__always)
            get {
                #if DEBUG
                    instance.checkRead()
                #endif
                let word = instance[keyPath: storageKeyPath].word
                guard word.isBound else { return instance.unboundRelationship() }
                return V._related(word.slot, of: instance)
            }
            @inline(__always)
            set {
                let word = instance[keyPath: storageKeyPath].word
                guard word.isBound else {
                    let _: V = instance.unboundRelationship()
                    return
                }
                newValue._relate(word.slot, of: instance)
            }
        }

        /// The relationship's name in the store.
        public var cs_keyPathString: String { word.descriptor?.keyPath ?? "" }

        @usableFromInline
        static func describe(
            _ keyPath: KeyPathString, _ counts: (Int, Int), _ inverse: (() -> KeyPathString)?,
            _ deleteRule: DeleteRule, _ versionHashModifier: @escaping () -> String?,
            _ previousVersionKeyPath: @escaping () -> String?, _ affectedBy: @escaping () -> Set<KeyPathString>
        ) -> FieldDescriptor {
            FieldDescriptor(
                keyPath: keyPath,
                kind: .relationship(
                    .init(
                        isToMany: V.self is any FieldRelationshipToManyType.Type,
                        isOrdered: V.self is any FieldRelationshipToManyOrderedType.Type,
                        destination: V.DestinationObjectType.self, inverse: inverse, minCount: counts.0,
                        maxCount: counts.1, deleteRule: deleteRule
                    )
                ),
                reading: FieldReading { (object: CoreStoreObject, word) in V._related(word.slot, of: object) },
                versionHashModifier: versionHashModifier, previousVersionKeyPath: previousVersionKeyPath,
                affectedByKeyPaths: affectedBy
            )
        }
    }
}

extension FieldContainer.Relationship: ToManyRelationshipKeyPathStringConvertible
where V: FieldRelationshipToManyType {}

extension CoreStoreObject {
    @usableFromInline
    final func unboundRelationship<V: FieldRelationshipType>() -> V {
        reportMeta()
        return V._empty
    }
}
