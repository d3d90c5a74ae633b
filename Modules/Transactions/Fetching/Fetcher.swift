import CofferEvaluation
import CofferSchema
import CofferStorage
import CofferStorageTools

/// Fetches objects, counts, ids and rows from the stores; decides how pending changes are included.
struct Fetcher {
    let state: ContextState

    /// Returns the objects of a fetch.
    func objects(_ fetch: ObjectFetch) throws(StorageError) -> [CoreStoreObject] {
        try state.staleRelations.forgetStaleRelations(in: fetch.stores)
        let objects = try fetched(fetch)
        for store in fetch.stores {
            let own = objects.lazy.filter { $0.id.storage == store.keySpaces[fetch.entity] }
            state.staleRelations.noteUnknownMembers(own.map(\.row), store)
        }
        try state.staleRelations.forgetStaleRelations(in: fetch.stores)
        return objects
    }

    private func objects(_ fetch: ObjectFetch, _ store: OpenStore) throws(StorageError) -> [CoreStoreObject] {
        let request = try fetch.request(store)
        if !fetch.refreshes, !fetch.includesPendingChanges || !state.pendingLookup.mayChange(request, store) {
            return try storedObjects(request, store)
        }
        let rows = try rows(store, request, pending: fetch.includesPendingChanges)
        let objects = state.factory.objects(rows, fetch.entity, store)
        if fetch.refreshes {
            for (object, row) in zip(objects, rows) where object.state.isDisjoint(with: [.isUpdated, .isInserted]) {
                state.editor.replaceRow(of: object, with: row)
            }
        }
        return objects
    }

    /// Returns the stored objects of a request, without creating a list of their rows.
    func storedObjects(_ request: RowRequest, _ store: OpenStore) throws(StorageError) -> [CoreStoreObject] {
        var objects: [CoreStoreObject] = []
        if let limit = request.limit { objects.reserveCapacity(min(max(0, limit), 1024)) }
        try state.factory.makeObjects(request.entity, store) { maker throws(StorageError) in
            try state.readers.read(store, "fetch") { reader throws(StorageError) in
                try reader.forEachRow(request) { objects.append(maker.object($0)) }
            }
        }
        return objects
    }

    private func fetched(_ fetch: ObjectFetch) throws(StorageError) -> [CoreStoreObject] {
        if fetch.stores.count == 1 { return try objects(fetch, fetch.stores[0]) }
        return try found(fetch, makesObjects: true).compactMap(\.object)
    }

    /// Returns the number of objects of a fetch.
    func count(_ fetch: ObjectFetch) throws(StorageError) -> Int {
        try state.staleRelations.forgetStaleRelations(in: fetch.stores)
        var total = 0
        for store in fetch.stores {
            var request = try fetch.request(store)
            request.offset = 0
            request.limit = nil
            request.order = []
            total += try count(store, request, pending: fetch.includesPendingChanges)
        }
        let rest = max(0, total - fetch.offset)
        return fetch.limit.map { min($0, rest) } ?? rest
    }

    /// Returns the ids of the objects of a fetch, without creating the objects.
    func ids(_ fetch: ObjectFetch) throws(StorageError) -> [ObjectID] {
        try state.staleRelations.forgetStaleRelations(in: fetch.stores)
        if fetch.stores.count == 1 { return try ids(fetch, fetch.stores[0]) }
        if fetch.order.isEmpty {
            var ids: [ObjectID] = []
            for store in fetch.stores { ids += try self.ids(fetch.withoutOffset, store) }
            return Array(ids.window(offset: fetch.offset, limit: fetch.limit))
        }
        return try found(fetch, makesObjects: false).map { $0.store.id($0.row.key, of: fetch.entity) }
    }

    private func ids(_ fetch: ObjectFetch, _ store: OpenStore) throws(StorageError) -> [ObjectID] {
        try keys(fetch, store).map { store.id($0, of: fetch.entity) }
    }

    /// Returns the keys of the objects of a fetch, for a program that reads the objects later.
    func keys(_ fetch: ObjectFetch) throws(StorageError) -> FetchedKeys {
        if fetch.refreshes { return FetchedKeys(try objects(fetch).map(\.id)) }
        guard fetch.stores.count == 1 else { return FetchedKeys(try ids(fetch)) }
        let store = fetch.stores[0]
        try state.staleRelations.forgetStaleRelations(in: fetch.stores)
        return FetchedKeys(try keys(fetch, store), in: store.keySpaces[fetch.entity])
    }

    private func keys(_ fetch: ObjectFetch, _ store: OpenStore) throws(StorageError) -> [Int64] {
        let request = try fetch.request(store)
        if !fetch.includesPendingChanges || !state.pendingLookup.mayChange(request, store) {
            return try state.readers.read(store, "fetch") { reader throws(StorageError) in try reader.keys(request) }
        }
        return try rows(store, request, pending: true).map(\.key)
    }

    // MARK: One store

    /// Returns the rows of one store as the transaction sees them.
    func rows(_ store: OpenStore, _ request: RowRequest, pending: Bool) throws(StorageError) -> [Row] {
        try state.readers.read(store, "fetch") { reader throws(StorageError) in
            let overlay = PendingOverlay(state: state, store: store, reader: reader)
            return pending ? try overlay.rows(request) : try reader.rows(request)
        }
    }

    /// Returns the number of rows of one store that match a request without order and limit.
    func count(_ store: OpenStore, _ request: RowRequest, pending: Bool) throws(StorageError) -> Int {
        try state.readers.read(store, "count") { reader throws(StorageError) in
            let overlay = PendingOverlay(state: state, store: store, reader: reader)
            return pending ? try overlay.count(request) : try reader.count(request)
        }
    }

    // MARK: Several stores

    /// A row of one of the stores, and its object if the caller requested objects.
    private typealias Found = (row: Row, object: CoreStoreObject?, store: OpenStore)

    /// Returns the rows of a fetch from all of its stores.
    private func found(_ fetch: ObjectFetch, makesObjects: Bool) throws(StorageError) -> ArraySlice<Found> {
        var found: [Found] = []
        let whole = fetch.withoutOffset
        for store in fetch.stores {
            let rows = try rows(store, whole.request(store), pending: fetch.includesPendingChanges)
            if makesObjects {
                // There are no objects if the store was removed in the meantime.
                found += zip(rows, state.factory.objects(rows, fetch.entity, store)).map { ($0, $1, store) }
            } else {
                found += rows.map { ($0, nil, store) }
            }
        }
        return try merge(found, fetch).window(offset: fetch.offset, limit: fetch.limit)
    }

    private func merge(_ found: [Found], _ fetch: ObjectFetch) throws(StorageError) -> [Found] {
        guard !fetch.order.isEmpty else { return found }
        var keyed = found.map { (keys: [Value](), found: $0) }
        for places in Dictionary(grouping: found.indices, by: { ObjectIdentifier(found[$0].store) }).values {
            let store = found[places[0]].store
            let sorts = try store.resolver.resolve(fetch.order, entity: fetch.entity)
            let keys = try sortKeys(of: places.map { found[$0].row }, sorts, in: store)
            for (place, keys) in zip(places, keys) { keyed[place].keys = keys }
        }
        let directions = fetch.order.map(\.ascending)
        return keyed.sorted { left, right in
            ValueOrdering.precedes(left.keys, right.keys, directions) ?? (left.found.row.key < right.found.row.key)
        }.map(\.found)
    }

    /// The values of an expression for rows of one store.
    func values(
        of expression: RowExpression, _ rows: [Row], in store: OpenStore
    ) throws(StorageError) -> [Value] {
        try evaluated(rows, in: store) { state.evaluator.value(expression, of: $0, in: $1) }
    }

    /// Returns the values by which rows of one store are sorted.
    func sortKeys(of rows: [Row], _ sorts: [RowSort], in store: OpenStore) throws(StorageError) -> [[Value]] {
        try evaluated(rows, in: store) { row, source in
            sorts.map { state.evaluator.value($0.expression, of: row, in: source) }
        }
    }

    private func evaluated<Output>(
        _ rows: [Row], in store: OpenStore, _ body: (Row, PendingSource) -> Output
    ) throws(StorageError) -> [Output] {
        try state.readers.read(store, "fetch") { reader throws(StorageError) in
            let source = PendingSource(state, store, reader)
            let outputs = rows.map { body($0, source) }
            if let failure = source.failure { throw failure }
            return outputs
        }
    }
}
