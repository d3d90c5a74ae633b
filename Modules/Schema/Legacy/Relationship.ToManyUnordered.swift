public import CofferStorage

extension RelationshipContainer {
    /// A relationship to many objects, as it was declared before `@Field.Relationship`.
    public final class ToManyUnordered<D: CoreStoreObject>: LegacyRelationship<O, Set<D>>,
        ToManyRelationshipKeyPathStringConvertible
    {
        /// A relationship whose inverse names this one.
        public init(
            _ keyPath: KeyPathString, deleteRule: DeleteRule = .nullify, minCount: Int = 0, maxCount: Int = 0,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            super.init(
                keyPath, counts: (minCount, maxCount), nil, deleteRule, versionHashModifier,
                renamingIdentifier, affectedByKeyPaths
            )
        }

        /// A relationship whose inverse is the relationship that a closure picks: `inverse: { $0.master }`.
        public init<R>(
            _ keyPath: KeyPathString, inverse: @escaping (D) -> LegacyRelationship<D, R>,
            deleteRule: DeleteRule = .nullify, minCount: Int = 0, maxCount: Int = 0,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) where R.DestinationObjectType == O {
            super.init(
                keyPath, counts: (minCount, maxCount), { KeyPathString(inverse: inverse) }, deleteRule,
                versionHashModifier,
                renamingIdentifier, affectedByKeyPaths
            )
        }
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
