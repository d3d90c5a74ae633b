public import CofferStorage

extension RelationshipContainer {
    /// An ordered relationship to many objects; superseded by `@Field.Relationship`.
    public final class ToManyOrdered<D: CoreStoreObject>: LegacyRelationship<O, [D]>,
        ToManyRelationshipKeyPathStringConvertible
    {
        /// Creates a relationship that does not name its inverse; the inverse names this relationship.
        public init(
            _ keyPath: KeyPathString, minCount: Int = 0, maxCount: Int = 0, deleteRule: DeleteRule = .nullify,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            super.init(
                keyPath, counts: (minCount, maxCount), nil, deleteRule, versionHashModifier,
                renamingIdentifier, affectedByKeyPaths
            )
        }

        /// Creates a relationship with an inverse that a closure returns: `inverse: { $0.master }`.
        public init<R>(
            _ keyPath: KeyPathString, minCount: Int = 0, maxCount: Int = 0,
            inverse: @escaping (D) -> LegacyRelationship<D, R>, deleteRule: DeleteRule = .nullify,
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

extension RelationshipContainer.ToManyOrdered: RandomAccessCollection {
    /// An iterator over the related objects.
    public typealias Iterator = AnyIterator<D>
    /// A place in the order.
    public typealias Index = Int

    /// Returns an iterator over the related objects in their order.
    public func makeIterator() -> Iterator { AnyIterator(value.makeIterator()) }
    /// The first place.
    public var startIndex: Index { 0 }
    /// The place after the last one.
    public var endIndex: Index { value.count }
    /// The related object at a place.
    public subscript(position: Index) -> D { value[position] }
    /// The next place.
    public func index(after i: Index) -> Index { i + 1 }
}
