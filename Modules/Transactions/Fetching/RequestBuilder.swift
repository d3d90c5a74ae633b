import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools

/// Converts clauses to fetches and queries, finds the stores that hold a class, and refuses unknown aggregates.
struct RequestBuilder {
    let state: ContextState

    /// Creates a fetch from clauses, which are applied in their order.
    ///
    /// - Parameter prepare: sets the properties that clauses may override.
    package func fetch<O>(
        _ from: From<O>, _ clauses: [any FetchClause], _ prepare: (FetchRequest) -> Void = { _ in }
    ) throws(CoreStoreError) -> ObjectFetch {
        let fetch = try request(from, clauses, prepare).fetch
        try checkKeys(fetch.entity) { check throws(StorageError) in try check.check(fetch) }
        return fetch
    }

    /// Creates the request of some clauses, and its fetch.
    private func request<O>(
        _ from: From<O>, _ clauses: [any FetchClause], _ prepare: (FetchRequest) -> Void = { _ in }
    ) throws(CoreStoreError) -> (request: FetchRequest, fetch: ObjectFetch) {
        var (entity, stores) = try destination(from)
        let request = FetchRequest(entityName: state.layout.entities[entity].name)
        prepare(request)
        for clause in clauses { clause.applyToFetchRequest(request) }
        if let affected = request.affectedStores {
            stores = stores.filter { store in affected.contains { $0 === store.storage } }
        }
        let fetch = ObjectFetch(
            entity: entity, stores: stores, predicate: request.predicate ?? .constant(true),
            order: request.sortDescriptors, offset: max(0, request.fetchOffset),
            limit: request.fetchLimit > 0 || request.isEmpty ? request.fetchLimit : nil,
            includesSubentities: request.includesSubentities,
            includesPendingChanges: request.includesPendingChanges, refreshes: request.shouldRefreshRefetchedObjects,
            batchSize: request.fetchBatchSize
        )
        return (request, fetch)
    }

    /// Checks the keys of a request, if the schema has virtual or coded fields.
    private func checkKeys(
        _ entity: Int, _ body: (KeyCheck) throws(StorageError) -> Void
    ) throws(CoreStoreError) {
        guard state.binding.hasUnsearchableFields else { return }
        let check = KeyCheck(binding: state.binding, entity: entity)
        try CoreStoreError.converting { () throws(StorageError) in try body(check) }
    }

    /// Returns the entity of a `From` clause, and the stores that hold it.
    private func destination<O>(_ from: From<O>) throws(CoreStoreError) -> (entity: Int, stores: [OpenStore]) {
        guard state.isAccessAllowed() else {
            Diagnostics.assert(false, Self.outside(O.self))
            throw CoreStoreError(storage: StorageError(.unsupported, Self.outside(O.self)))
        }
        guard let entity = state.binding.entity(of: from.entityClass) else {
            throw .persistentStoreNotFound(entity: from.entityClass)
        }
        let stores = stores(holding: entity, in: from.configurations)
        guard !stores.isEmpty else { throw CoreStoreError.persistentStoreNotFound(entity: from.entityClass) }
        return (entity, stores)
    }

    /// Returns the stores that hold an entity.
    ///
    /// - Parameter configurations: the configurations of the stores; nil for any.
    package func stores(holding entity: Int, in configurations: [ModelConfiguration]?) -> [OpenStore] {
        state.stores.filter { store in
            let configuration = store.storage.configuration
            guard state.binding.configuration(configuration, holds: entity) else { return false }
            return configurations?.contains { SchemaBinding.isSame($0, configuration) } ?? true
        }
    }

    func query<O>(
        _ from: From<O>, _ terms: [SelectTerm<O>], _ clauses: [any QueryClause]
    ) throws(CoreStoreError) -> ObjectQuery {
        let (request, fetch) = try request(from, clauses)
        let entity = fetch.entity
        var query = ObjectQuery(
            fetch: fetch, aliases: [], terms: [], groups: request.propertiesToGroupBy,
            having: request.havingPredicate, isDistinct: request.returnsDistinctResults
        )
        for term in terms {
            query.aliases.append(term.alias)
            let term = try self.term(term, O.self)
            if case .aggregate(let aggregate, .keyPath(let path)) = term {
                try CoreStoreError.converting { () throws(StorageError) in
                    try state.queryResolver.requireValue(aggregate, of: path, entity)
                }
            }
            query.terms.append(counted(term, entity))
        }
        let checked = query
        try checkKeys(entity) { check throws(StorageError) in try check.check(checked) }
        return query
    }

    private func term<O>(_ term: SelectTerm<O>, _ type: O.Type) throws(CoreStoreError) -> ObjectQuery.Term {
        switch term {
        case ._attribute(let keyPath): return .value(.keyPath(keyPath))
        case ._identity: return .identity
        case ._computed(nil, let expression, _, _): return .value(expression)
        case ._computed(let function?, let expression, _, _): return .aggregate(try aggregate(function), expression)
        case ._aggregate(let function, let keyPath, _, _): return .aggregate(try aggregate(function), .keyPath(keyPath))
        }
    }

    /// Returns the number of related objects if a term counts a relationship: `.count("friends")`.
    private func counted(_ term: ObjectQuery.Term, _ entity: Int) -> ObjectQuery.Term {
        guard case .aggregate(.count, .keyPath(let path)) = term else { return term }
        var names = path.split(separator: ".").map(String.init)
        guard let last = names.popLast(),
            let owner = names.isEmpty
                ? entity : state.queryResolver.destination(of: names.joined(separator: "."), entity),
            let index = state.layout.entities[owner].relationship(named: last),
            state.layout.relationships[index].isToMany
        else { return term }
        return .value(.keyPath("\(path).@count"))
    }

    private func aggregate(_ function: String) throws(CoreStoreError) -> ValueRequest.Aggregate {
        guard let aggregate = ValueRequest.Aggregate(functionName: function) else {
            let names = ValueRequest.Aggregate.allCases.map(\.functionName).sorted().joined(separator: ", ")
            throw CoreStoreError(storage: .invalidRequest("'\(function)' is not an aggregate. Use one of \(names)."))
        }
        return aggregate
    }

    /// Returns the message for a call on a queue other than the context's queue.
    static func outside(_ type: Any.Type) -> String {
        "'\(type)' was fetched outside the queue of the data stack or transaction. Use that queue, or 'stack.read'."
    }
}

extension SchemaBinding {
    /// Whether two names denote the same configuration; nil denotes the default one.
    static func isSame(_ left: ModelConfiguration, _ right: ModelConfiguration) -> Bool {
        (left ?? defaultConfigurationName) == (right ?? defaultConfigurationName)
    }
}
