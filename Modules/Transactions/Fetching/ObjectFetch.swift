package import CofferStorage
package import CofferStorageTools

/// A fetch of objects: the entity, the stores, the condition, the order, the offset and the limit.
package struct ObjectFetch {
    package var entity: Int
    package var stores: [OpenStore]
    package var predicate: QueryPredicate
    package var order: [QuerySortDescriptor]
    package var offset: Int
    package var limit: Int?
    package var includesSubentities: Bool
    package var includesPendingChanges: Bool
    var refreshes = false
    /// The number of objects in a page or batch; 0 for the default.
    var batchSize = 0

    /// The number of objects that `fetchEach` and `fetchLazily` read at a time; 512 by default.
    var pageSize: Int { batchSize > 0 ? batchSize : 512 }

    /// The same fetch, including the objects that the offset skips.
    ///
    /// With several stores, each store must return these objects.
    var withoutOffset: ObjectFetch {
        var whole = self
        whole.offset = 0
        whole.limit = limit.map { $0.addingUpToMax(offset) }
        return whole
    }

    package func request(_ store: OpenStore) throws(StorageError) -> RowRequest {
        RowRequest(
            entity: entity, includesSubentities: includesSubentities,
            predicate: try store.resolver.resolve(predicate, entity: entity),
            order: try store.resolver.resolve(order, entity: entity), offset: offset, limit: limit
        )
    }
}
