import CofferEvaluation
import CofferSchema
import CofferStorage
import CofferStorageTools
import CofferTransactions

/// The request of an observed list: decides which lists need no fetch after a commit, and which commits need a refetch.
///
/// A list is *decided locally* if it is in one store and has no limit and no offset, and if its condition, order and
/// sections use only the object's own attributes. The rows of a commit then determine the new list.
///
/// Otherwise, the list is fetched again after every commit that changes an object of its entity. It is also fetched
/// again after a commit that changes an object or a link that one of its relationships may pass through.
struct ListRequest {
    let graph: ObjectGraph
    let sections: SectionNames?
    private let fetch: ObjectFetch
    private let requests: [(store: OpenStore, request: RowRequest)]
    /// The configurations of the stores of the list; nil for any.
    private let configurations: [ModelConfiguration]?
    private let relationships: Set<Int>
    /// The key spaces whose rows the list may depend on.
    private let spaces: Set<UInt32>

    /// The condition and the order if the list is decided locally; nil otherwise.
    let local: Local?

    /// The order if rows alone determine it; nil otherwise.
    let order: Order?

    struct Order {
        let compiled: CompiledOrder
        fileprivate let source: EmptySource

        fileprivate init(_ graph: ObjectGraph, _ sorts: [RowSort]) {
            compiled = graph.evaluator.order(sorts)
            source = EmptySource(layout: graph.layout)
        }

        /// Whether a row comes before another.
        func precedes(_ left: Row, _ right: Row) -> Bool { compiled.precedes(left, right, in: source) }

        /// Whether two states of one row have the same place.
        func hasSamePlace(_ old: Row, _ new: Row) -> Bool { !precedes(old, new) && !precedes(new, old) }
    }

    struct Local {
        let store: OpenStore
        let storage: UInt32
        let order: Order
        private let predicate: CompiledPredicate
        private let entities: ColumnSet?

        fileprivate init(_ graph: ObjectGraph, _ store: OpenStore, _ request: RowRequest) {
            self.store = store
            storage = store.keySpaces[request.entity]
            predicate = graph.evaluator.predicate(request.predicate)
            order = Order(graph, request.order)
            entities = graph.evaluator.wantedEntities(request)
        }

        /// Whether a row belongs to the list.
        func matches(_ row: Row) -> Bool {
            (entities?.contains(row.entity) ?? true) && predicate.matches(row, in: order.source)
        }

        /// Whether a row comes before another.
        func precedes(_ left: Row, _ right: Row) -> Bool { order.precedes(left, right) }
    }

    /// - Parameters:
    ///   - configurations: the configurations of the stores; nil for any.
    ///   - sections: finds the names of the sections; nil for a list without sections.
    init(
        _ graph: ObjectGraph, _ fetch: ObjectFetch, in configurations: [ModelConfiguration]?,
        _ sections: SectionNames?
    ) throws(StorageError) {
        self.graph = graph
        self.configurations = configurations
        self.fetch = fetch
        self.sections = sections
        let requests = try fetch.stores.map { store throws(StorageError) in
            (store: store, request: try fetch.request(store))
        }
        let indexes = requests.reduce(into: sections?.relationships ?? []) { $0.formUnion($1.request.relationships) }
        let relationships = indexes.map { graph.layout.relationships[$0] }
        let entities = [fetch.entity] + relationships.flatMap { [$0.owner, $0.destination] }
        self.requests = requests
        spaces = Set(requests.flatMap { store, _ in entities.map { store.keySpaces[$0] } })
        self.relationships = indexes.union(relationships.map(\.inverse))
        let isLocal =
            relationships.isEmpty && fetch.limit == nil && fetch.offset == 0 && requests.count == 1
            && !graph.isEditable
        local = isLocal ? requests.first.map { Local(graph, $0.store, $0.request) } : nil
        let sorts = RowRequest(entity: fetch.entity, order: requests.first?.request.order ?? [])
        order = sorts.relationships.isEmpty ? Order(graph, sorts.order) : nil
    }

    /// Whether another fetch of the list would use the same stores.
    var hasSameStores: Bool {
        let holding = graph.stores(holding: fetch.entity, in: configurations)
        return requests.allSatisfy { request in holding.contains { $0 === request.store } }
            && holding.allSatisfy { store in requests.contains { $0.store === store } }
    }

    /// Whether the list must be fetched again after a commit.
    func mustRefetch(after commit: CommitDigest) -> Bool {
        guard !commit.isUnknown else { return true }
        guard local == nil else { return false }
        return commit.changes.keys.contains(where: spaces.contains)
            || !commit.relationships.isDisjoint(with: relationships)
    }

    /// Fetches the present entries of the list, in order.
    func entries() throws(StorageError) -> [ListEntry] {
        guard requests.count == 1, let (store, request) = requests.first else { return try mergedEntries() }
        try graph.forgetStaleRelations(in: [store])
        let rows = try graph.rows(store, request, pending: fetch.includesPendingChanges)
        try graph.refresh(with: rows, store)
        return try entries(of: rows, in: store)
    }

    /// Returns the entries for rows of one store, with their sections.
    func entries(of rows: [Row], in store: OpenStore) throws(StorageError) -> [ListEntry] {
        let storage = store.keySpaces[fetch.entity]
        guard let sections else { return rows.map { ListEntry(row: $0, storage: storage, section: nil) } }
        let names = try sections.names(of: rows, in: store)
        return zip(rows, names).map { ListEntry(row: $0, storage: storage, section: $1) }
    }

    private func mergedEntries() throws(StorageError) -> [ListEntry] {
        var entries: [ListEntry] = []
        for object in try graph.objects(fetch) {
            guard let store = requests.first(where: { $0.store.keySpaces.contains(object.id.storage) })?.store else {
                continue
            }
            entries += try self.entries(of: [object.row], in: store)
        }
        guard graph.isEditable else { return entries }
        for (store, request) in requests {
            let storage = store.keySpaces[request.entity]
            try graph.refresh(with: entries.filter { $0.storage == storage }.map(\.row), store)
        }
        return entries
    }
}
