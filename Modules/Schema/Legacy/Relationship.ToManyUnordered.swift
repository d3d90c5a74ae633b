public import CofferStorage

extension RelationshipContainer {
    /// A relationship to many objects; superseded by `@Field.Relationship`.
    public final class ToManyUnordered<D: CoreStoreObject>: LegacyRelationship<O, Set<D>>,
        ToManyRelationshipKeyPathStringConvertible
    {
        /// Creates a relationship that does not name its inverse; the inverse names this relationship.
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

        /// Creates a relationship with an inverse that a closure returns: `inverse: { $0.master }`.
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
    /// An iterator over the related objects.
    public typealias Iterator = AnyIterator<D>

    /// The number of related objects.
    public var count: Int { value.count }
    /// Whether there is no related object.
    public var isEmpty: Bool { value.isEmpty }
    /// Returns an iterator over the related objects in no particular order.
    public func makeIterator() -> Iterator { AnyIterator(value.makeIterator()) }
}
