public import CofferStorage

extension RelationshipContainer {
    /// A relationship to many objects, as it was declared before `@Field.Relationship`.
    public final class ToManyUnordered<D: CoreStoreObject>: ToManyRelationshipKeyPathStringConvertible {
        /// The class that declares the relationship.
        public typealias ObjectType = O
        /// The class at the other end.
        public typealias DestinationValueType = D
        /// What reading the relationship gives.
        public typealias ReturnValueType = Set<DestinationValueType>

        let link: LegacyLink<ReturnValueType>

        /// A relationship whose inverse names this one.
        public init(
            _ keyPath: KeyPathString, deleteRule: DeleteRule = .nullify, minCount: Int = 0, maxCount: Int = 0,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            link = LegacyLink(
                keyPath, (minCount, maxCount), nil, deleteRule, versionHashModifier,
                renamingIdentifier, affectedByKeyPaths
            )
        }

        /// A relationship whose inverse leads to one object.
        public init(
            _ keyPath: KeyPathString, inverse: @escaping (D) -> RelationshipContainer<D>.ToOne<O>,
            deleteRule: DeleteRule = .nullify, minCount: Int = 0, maxCount: Int = 0,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            link = LegacyLink(
                keyPath, (minCount, maxCount), { KeyPathString(inverse: inverse) }, deleteRule, versionHashModifier,
                renamingIdentifier, affectedByKeyPaths
            )
        }

        /// A relationship whose inverse leads to many objects in order.
        public init(
            _ keyPath: KeyPathString, inverse: @escaping (D) -> RelationshipContainer<D>.ToManyOrdered<O>,
            deleteRule: DeleteRule = .nullify, minCount: Int = 0, maxCount: Int = 0,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            link = LegacyLink(
                keyPath, (minCount, maxCount), { KeyPathString(inverse: inverse) }, deleteRule, versionHashModifier,
                renamingIdentifier, affectedByKeyPaths
            )
        }

        /// A relationship whose inverse leads to many objects.
        public init(
            _ keyPath: KeyPathString, inverse: @escaping (D) -> RelationshipContainer<D>.ToManyUnordered<O>,
            deleteRule: DeleteRule = .nullify, minCount: Int = 0, maxCount: Int = 0,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            link = LegacyLink(
                keyPath, (minCount, maxCount), { KeyPathString(inverse: inverse) }, deleteRule, versionHashModifier,
                renamingIdentifier, affectedByKeyPaths
            )
        }

        /// What the object is related to.
        public var value: ReturnValueType {
            get { link.value }
            set { link.value = newValue }
        }

        /// The relationship's name in the store.
        public var cs_keyPathString: String { link.keyPath }
    }
}

extension RelationshipContainer.ToManyUnordered: Sequence {
    /// Goes through the related objects.
    public typealias Iterator = AnyIterator<D>

    /// How many objects are related.
    public var count: Int { value.count }
    /// Whether none is.
    public var isEmpty: Bool { value.isEmpty }
    /// Goes through the related objects in no particular order.
    public func makeIterator() -> Iterator { AnyIterator(value.makeIterator()) }
}
