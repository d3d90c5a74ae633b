import CofferClauses
import CofferEvaluation
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation

/// Fetches objects, counts, ids and rows from the stores; decides how pending changes are included.
struct Fetcher {
    let state: ContextState

    init(_ state: ContextState) { self.state = state }

    private var factory: ObjectFactory { ObjectFactory(state) }
    private var lookup: PendingLookup { PendingLookup(state) }
    private var editor: RowEditor { RowEditor(state) }
    private var stale: StaleRelations { StaleRelations(state) }

    /// The objects a fetch asks for.
    func objects(_ fetch: ObjectFetch) throws(StorageError) -> [CoreStoreObject] {
        try stale.forgetStaleRelations(in: fetch.stores)
        let objects = try fetched(fetch)
        stale.noteUnknownMembers(objects)
        try stale.forgetStaleRelations(in: fetch.stores)
        return objects
    }

    private func objects(_ fetch: ObjectFetch, _ store: OpenStore) throws(StorageError) -> [CoreStoreObject] {
        let request = try fetch.request(store)
        guard !fetch.refreshes, isUntouched(request, store) || !fetch.includesPendingChanges else {
            let rows = try rows(store, request, pending: fetch.includesPendingChanges)
            let objects = factory.objects(rows, fetch.entity, store)
            if fetch.refreshes { for (object, row) in zip(objects, rows) { refreshRefetched(object, row) } }
            return objects
        }
        var objects: [CoreStoreObject] = []
        if let limit = request.limit { objects.reserveCapacity(min(max(0, limit), 1024)) }
        try factory.makeObjects(fetch.entity, store) { maker throws(StorageError) in
            try state.readers.read(store, "fetch") { reader throws(StorageError) in
                try reader.forEachRow(request) { objects.append(maker.object($0)) }
            }
        }
        return objects
    }

    private func fetched(_ fetch: ObjectFetch) throws(StorageError) -> [CoreStoreObject] {
        if fetch.stores.count == 1 {
            return try objects(fetch, fetch.stores[0])
        }
        var found: [Found] = []
        let whole = fetch.withoutOffset
        for store in fetch.stores {
            let rows = try rows(store, whole.request(store), pending: fetch.includesPendingChanges)
            for (row, object) in zip(rows, factory.objects(rows, fetch.entity, store)) {
                found.append((row, object, store))
            }
        }
        return try window(merge(found, fetch), fetch).compactMap(\.object)
    }

    /// How many objects a fetch asks for.
    func count(_ fetch: ObjectFetch) throws(StorageError) -> Int {
        try stale.forgetStaleRelations(in: fetch.stores)
        var total = 0
        for store in fetch.stores {
            var request = try fetch.request(store)
            request.offset = 0
            request.limit = nil
            request.order = []
            if isUntouched(request, store) || !fetch.includesPendingChanges {
                total += try state.readers.read(store, "count") { reader throws(StorageError) in
                    try reader.count(request)
                }
            } else {
                total += try rows(store, request, pending: true).count
            }
        }
        let rest = max(0, total - fetch.offset)
        return fetch.limit.map { min($0, rest) } ?? rest
    }

    /// The ids of the objects a fetch asks for, without making the objects.
    func ids(_ fetch: ObjectFetch) throws(StorageError) -> [ObjectID] {
        try stale.forgetStaleRelations(in: fetch.stores)
        if fetch.stores.count == 1 { return try ids(fetch, fetch.stores[0]) }
        let whole = fetch.withoutOffset
        if fetch.order.isEmpty {
            var ids: [ObjectID] = []
            for store in fetch.stores { ids += try self.ids(whole, store) }
            return Array(ids.window(offset: fetch.offset, limit: fetch.limit))
        }
        var found: [Found] = []
        for store in fetch.stores {
            let rows = try rows(store, whole.request(store), pending: fetch.includesPendingChanges)
            found += rows.map { ($0, nil, store) }
        }
        return try window(merge(found, fetch), fetch).map {
            ObjectID(storage: $0.store.keySpaces[fetch.entity], key: $0.row.key)
        }
    }

    private func ids(_ fetch: ObjectFetch, _ store: OpenStore) throws(StorageError) -> [ObjectID] {
        let request = try fetch.request(store)
        let number = store.keySpaces[fetch.entity]
        if isUntouched(request, store) || !fetch.includesPendingChanges {
            let keys = try state.readers.read(store, "fetch") { reader throws(StorageError) in try reader.keys(request)
            }
            return keys.map { ObjectID(storage: number, key: $0) }
        }
        return try rows(store, request, pending: true).map { ObjectID(storage: number, key: $0.key) }
    }

    // MARK: One store

    /// The rows of one store as the transaction sees them.
    func rows(_ store: OpenStore, _ request: RowRequest, pending: Bool) throws(StorageError) -> [Row] {
        guard pending, !isUntouched(request, store) else {
            return try state.readers.read(store, "fetch") { reader throws(StorageError) in try reader.rows(request) }
        }
        let relationships = request.relationships
        if !relationships.isEmpty, touches(relationships) { return try evaluated(store, request) }
        return try overlaid(store, request)
    }

    /// Whether nothing pending can change the result.
    private func isUntouched(_ request: RowRequest, _ store: OpenStore) -> Bool {
        if state.pending.isEmpty { return true }
        if !request.relationships.isEmpty || lookup.lookUp(request, store) != nil { return false }
        return changed(request, store).isEmpty
    }

    private func changed(_ request: RowRequest, _ store: OpenStore) -> [CoreStoreObject] {
        let number = store.keySpaces[request.entity]
        return (state.pending.inserted + state.pending.updated + state.pending.deleted).filter {
            $0.id.storage == number && lookup.isMember($0, request)
        }
    }

    /// Whether a pending change could change the related objects of one of the relationships, or their values.
    private func touches(_ relationships: Set<Int>) -> Bool {
        var roots: Set<Int> = []
        for index in relationships {
            let relationship = state.layout.relationships[index]
            roots.insert(state.layout.entities[relationship.owner].root)
            roots.insert(state.layout.entities[relationship.destination].root)
        }
        if !state.pending.addedLinks.isEmpty || !state.pending.removedLinks.isEmpty { return true }
        return (state.pending.inserted + state.pending.updated + state.pending.deleted).contains {
            roots.contains(state.layout.entities[$0.row.entity].root)
        }
    }

    /// The store's rows without those that changed, and those that changed, tried in memory.
    private func overlaid(_ store: OpenStore, _ request: RowRequest) throws(StorageError) -> [Row] {
        let found = lookup.indexed(request, store)
        let changed = found ?? changed(request, store)
        var stored = request
        stored.offset = 0
        let changeCount = found == nil ? changed.count : state.pending.updated.count + state.pending.deleted.count
        stored.limit = request.limit.map { $0.addingUpToMax(request.offset).addingUpToMax(changeCount) }
        let committed = try state.readers.read(store, "fetch") { reader throws(StorageError) in try reader.rows(stored)
        }
        let keys = found == nil ? Set(changed.map(\.id.key)) : lookup.pendingKeys(of: committed, store, request.entity)
        let source = EmptySource(layout: state.layout)
        let predicate = state.evaluator.predicate(request.predicate)
        let matching = changed.filter { !$0.isDeleted && predicate.matches($0.row, in: source) }.map(\.row)
        let order = state.evaluator.order(request.order)
        let sorted = matching.sorted { order.precedes($0, $1, in: source) }
        var rows: [Row] = []
        rows.reserveCapacity(committed.count + sorted.count)
        var next = 0
        for row in committed where !keys.contains(row.key) {
            while next < sorted.count, order.precedes(sorted[next], row, in: source) {
                rows.append(sorted[next])
                next += 1
            }
            rows.append(row)
        }
        rows += sorted[next...]
        return Array(rows.window(offset: request.offset, limit: request.limit))
    }

    /// The request evaluated in memory over everything the transaction sees.
    private func evaluated(_ store: OpenStore, _ request: RowRequest) throws(StorageError) -> [Row] {
        try state.readers.read(store, "fetch") { reader throws(StorageError) in
            let source = PendingSource(state, store, reader)
            let rows = state.evaluator.rows(request, in: source)
            if let failure = source.failure { throw failure }
            return rows
        }
    }

    private func refreshRefetched(_ object: CoreStoreObject, _ row: Row) {
        guard object.state.isDisjoint(with: [.isUpdated, .isInserted]) else { return }
        object.row = row
        editor.forgetVirtualValues(of: object)
    }

    // MARK: Several stores

    /// A row of one of the stores, and its object where that is asked for.
    private typealias Found = (row: Row, object: CoreStoreObject?, store: OpenStore)

    private func merge(_ found: [Found], _ fetch: ObjectFetch) throws(StorageError) -> [Found] {
        guard !fetch.order.isEmpty else { return found }
        var keyed = found.map { (keys: [Value](), found: $0) }
        for places in Dictionary(grouping: found.indices, by: { ObjectIdentifier(found[$0].store) }).values {
            let store = found[places[0]].store
            let sorts = try store.resolver.resolve(fetch.order, entity: fetch.entity)
            try state.readers.read(store, "fetch") { reader throws(StorageError) in
                let source = PendingSource(state, store, reader)
                for place in places {
                    keyed[place].keys = sorts.map {
                        state.evaluator.value($0.expression, of: found[place].row, in: source)
                    }
                }
                if let failure = source.failure { throw failure }
            }
        }
        return keyed.sorted { left, right in
            for (index, descriptor) in fetch.order.enumerated() {
                let order = ValueOrdering.sortOrder(left.keys[index], right.keys[index])
                if order != .orderedSame { return (order == .orderedAscending) == descriptor.ascending }
            }
            return left.found.row.key < right.found.row.key
        }.map(\.found)
    }

    private func window(_ found: [Found], _ fetch: ObjectFetch) -> ArraySlice<Found> {
        found.window(offset: fetch.offset, limit: fetch.limit)
    }

    /// The values of an expression for rows of one store.
    func values(
        of expression: RowExpression, _ rows: [Row], in store: OpenStore
    ) throws(StorageError) -> [Value] {
        try state.readers.read(store, "fetch") { reader throws(StorageError) in
            let source = PendingSource(state, store, reader)
            let values = rows.map { state.evaluator.value(expression, of: $0, in: source) }
            if let failure = source.failure { throw failure }
            return values
        }
    }
}
