package import CofferClauses
package import CofferSchema
package import CofferStorage

/// Clauses made into requests.
extension ObjectGraph {
    /// A fetch made of clauses, applied in their order.
    ///
    /// - Parameter prepare: sets what clauses may override.
    package func fetch<O>(
        _ from: From<O>, _ clauses: [any FetchClause], _ prepare: (FetchRequest) -> Void = { _ in }
    ) throws(CoreStoreError) -> Fetch {
        let (entity, stores) = try destination(from)
        let request = FetchRequest(entityName: layout.entities[entity].name)
        prepare(request)
        for clause in clauses { clause.applyToFetchRequest(request) }
        let fetch = fetch(request, entity, stores)
        if binding.hasUnsearchableFields {
            try converting { () throws(StorageError) in try KeyCheck(binding: binding, entity: entity).check(fetch) }
        }
        return fetch
    }

    private func fetch(_ request: FetchRequest, _ entity: Int, _ stores: [OpenStore]) -> Fetch {
        var stores = stores
        if let affected = request.affectedStores {
            stores = stores.filter { store in affected.contains { $0 === store.storage } }
        }
        return Fetch(
            entity: entity, stores: stores, predicate: request.predicate ?? .constant(true),
            order: request.sortDescriptors, offset: max(0, request.fetchOffset),
            limit: request.fetchLimit > 0 || request.isEmpty ? request.fetchLimit : nil,
            includesSubentities: request.includesSubentities,
            includesPendingChanges: request.includesPendingChanges, refreshes: request.shouldRefreshRefetchedObjects
        )
    }

    /// The entity a clause asks for, and the stores that hold it.
    private func destination<O>(_ from: From<O>) throws(CoreStoreError) -> (entity: Int, stores: [OpenStore]) {
        guard isAccessAllowed() else {
            Diagnostics.assert(false, Self.outside(O.self))
            throw CoreStoreError(storage: StorageError(.unsupported, Self.outside(O.self)))
        }
        guard let entity = binding.entity(of: from.entityClass) else {
            throw .persistentStoreNotFound(entity: from.entityClass)
        }
        let stores = stores(holding: entity, in: from.configurations)
        guard !stores.isEmpty else { throw missingStore(of: from.entityClass) }
        return (entity, stores)
    }

    /// The stores that hold an entity.
    ///
    /// - Parameter configurations: the configurations of the stores; nil for any.
    package func stores(holding entity: Int, in configurations: [ModelConfiguration]?) -> [OpenStore] {
        stores.filter { store in
            let configuration = store.storage.configuration
            guard binding.configuration(configuration, holds: entity) else { return false }
            return configurations?.contains { SchemaBinding.isSame($0, configuration) } ?? true
        }
    }

    /// Why no store holds a class: a transaction may outlive its data stack, whose stores end with it.
    private func missingStore(of type: any DynamicObject.Type) -> CoreStoreError {
        guard let transaction = source as? BaseDataTransaction, transaction.dataStack == nil else {
            return .persistentStoreNotFound(entity: type)
        }
        Diagnostics.log(
            .warning, "'\(type)' was asked for after its data stack was deallocated. Keep the data stack.")
        return .unknown
    }

    /// Whether the current thread may look up objects by their ids.
    ///
    /// A transaction checks that in debug builds only: there it takes as long as finding an object that is known.
    func mayLookUp<O>(_ type: O.Type, _ mistake: @autoclosure () -> String? = nil) -> Bool {
        #if !DEBUG
            if isEditable { return true }
        #endif
        let isAllowed = isAccessAllowed()
        Diagnostics.assert(isAllowed, mistake() ?? Self.outside(type))
        return isAllowed
    }

    private static func outside<O>(_ type: O.Type) -> String {
        "'\(type)' was fetched outside the queue of the data stack or transaction. Fetch it there, or in 'stack.read'."
    }

    func typedObjects<O>(_ fetch: Fetch, _ type: O.Type) throws(CoreStoreError) -> [O] {
        let objects = try foundObjects(fetch)
        // Rows of the entity or its sub-entities are objects of its class or subclasses, and the entity was found by a
        // class that is an O. An array of one class reference is an array of the other.
        return unsafeBitCast(objects, to: [O].self)
    }

    func count(of fetch: Fetch) throws(CoreStoreError) -> Int {
        try converting { () throws(StorageError) in try count(fetch) }
    }

    func objectIDs(of fetch: Fetch) throws(CoreStoreError) -> [ObjectID] {
        try converting { () throws(StorageError) in try ids(fetch) }
    }

    // MARK: Queries

    /// A query made of clauses.
    struct Query {
        var fetch: Fetch
        var aliases: [String]
        var terms: [Term]
        var groups: [KeyPathString]
        var having: QueryPredicate?
        var isDistinct: Bool

        /// A term before its names are looked up.
        enum Term {
            case value(QueryExpression)
            case aggregate(ValueRequest.Aggregate, QueryExpression)
            case identity
        }
    }

    func query<O>(
        _ from: From<O>, _ terms: [SelectTerm<O>], _ clauses: [any QueryClause]
    ) throws(CoreStoreError) -> Query {
        let (entity, stores) = try destination(from)
        let request = FetchRequest(entityName: layout.entities[entity].name)
        for clause in clauses { clause.applyToFetchRequest(request) }
        var query = Query(
            fetch: fetch(request, entity, stores), aliases: [], terms: [], groups: request.propertiesToGroupBy,
            having: request.havingPredicate, isDistinct: request.returnsDistinctResults
        )
        for term in terms {
            query.aliases.append(term.alias)
            let term = try self.term(term, O.self)
            if case .aggregate(let aggregate, .keyPath(let path)) = term {
                try converting { () throws(StorageError) in try requireValue(aggregate, of: path, entity) }
            }
            query.terms.append(counted(term, entity))
        }
        if binding.hasUnsearchableFields {
            let checked = query
            try converting { () throws(StorageError) in try KeyCheck(binding: binding, entity: entity).check(checked) }
        }
        return query
    }

    private func term<O>(_ term: SelectTerm<O>, _ type: O.Type) throws(CoreStoreError) -> Query.Term {
        switch term {
        case ._attribute(let keyPath): return .value(.keyPath(keyPath))
        case ._identity: return .identity
        case ._computed(nil, let expression, _, _): return .value(expression)
        case ._computed(let function?, let expression, _, _): return .aggregate(try aggregate(function), expression)
        case ._aggregate(let function, let keyPath, _, _): return .aggregate(try aggregate(function), .keyPath(keyPath))
        }
    }

    /// Refuses the aggregate of a relationship, which has no value but the number of its objects.
    func requireValue(
        _ aggregate: ValueRequest.Aggregate, of path: KeyPathString, _ entity: Int
    ) throws(StorageError) {
        guard aggregate != .count, destination(of: path, entity) != nil else { return }
        throw .invalidRequest(
            "'\(layout.entities[entity].name).\(path)' is a relationship: it has no \(aggregate). Name an attribute of "
                + "the related objects.")
    }

    /// The number of a relationship's objects where a term counts the relationship itself: `.count("friends")`.
    private func counted(_ term: Query.Term, _ entity: Int) -> Query.Term {
        guard case .aggregate(.count, .keyPath(let path)) = term else { return term }
        var names = path.split(separator: ".").map(String.init)
        guard let last = names.popLast(),
            let owner = names.isEmpty ? entity : destination(of: names.joined(separator: "."), entity),
            let index = layout.entities[owner].relationship(named: last), layout.relationships[index].isToMany
        else { return term }
        return .value(.keyPath("\(path).@count"))
    }

    private func aggregate(_ function: String) throws(CoreStoreError) -> ValueRequest.Aggregate {
        guard let aggregate = Self.aggregates[function] else {
            throw CoreStoreError(
                storage: .invalidRequest(
                    "'\(function)' is no aggregate. Use \(Self.aggregates.keys.sorted().joined(separator: ", "))."
                )
            )
        }
        return aggregate
    }

    static let aggregates: [String: ValueRequest.Aggregate] = [
        "average:": .average, "count:": .count, "max:": .maximum, "min:": .minimum, "sum:": .sum,
    ]

    // MARK: Errors

    /// Runs a public call; an error is logged once before it is thrown.
    package func reporting<Result>(
        _ operation: String, _ body: () throws(CoreStoreError) -> Result
    ) throws(CoreStoreError) -> Result {
        do {
            return try body()
        } catch {
            if cancellation?.isCancelled != true { Diagnostics.log(error, "The \(operation) failed.") }
            throw error
        }
    }

    // MARK: The view queue

    /// Runs a public call that makes objects, on the queue that they belong to.
    ///
    /// Elsewhere it is a mistake, which a data stack answers all the same: its view queue makes the objects.
    func fetching<O, Result>(
        _ type: O.Type, _ body: () throws(CoreStoreError) -> Result
    ) throws(CoreStoreError) -> Result {
        guard !isAccessAllowed(), let stack = source as? DataStack else {
            return try reporting("fetch", body)
        }
        Diagnostics.assert(false, Self.outside(type))
        return try reporting("fetch") { () throws(CoreStoreError) in
            guard let result = stack.onViewQueue({ Swift.Result { () throws(CoreStoreError) in try body() } }) else {
                throw CoreStoreError(storage: StorageError(.unsupported, Self.outside(type)))
            }
            return try result.get()
        }
    }

    /// Runs a public call that takes no more than values from the stores.
    ///
    /// Outside the queue of a data stack it is a mistake, and is answered by a reader of its own.
    func computing<O, Result>(
        _ operation: String, _ type: O.Type, _ body: (ObjectGraph) throws(CoreStoreError) -> Result
    ) throws(CoreStoreError) -> Result {
        guard !isAccessAllowed(), let stack = source as? DataStack else {
            return try reporting(operation) { () throws(CoreStoreError) in try body(self) }
        }
        Diagnostics.assert(false, Self.outside(type))
        let reading = ReadTransaction(stack)
        defer { reading.finish() }
        return try reporting(operation) { () throws(CoreStoreError) in try body(reading._graph) }
    }

    /// Looks up objects by their ids; nil where that may not be done.
    ///
    /// - Parameter mistake: what is said of a look-up on another thread; nil for what is said of a fetch.
    package func lookingUp<O, Result>(
        _ type: O.Type, _ mistake: @autoclosure () -> String? = nil, _ body: () -> Result
    ) -> Result? {
        if mayLookUp(type, mistake()) { return body() }
        guard let stack = source as? DataStack else { return nil }
        if let result = stack.onViewQueue(body) { return result }
        // The view queue may be waiting for the transaction on this thread, whose commit throws the error.
        keep(StorageError(.unsupported, mistake() ?? Self.outside(type)), "'\(type)' could not be looked up.")
        return nil
    }
}

extension SchemaBinding {
    /// Whether two names mean the same configuration; nil is the default one.
    static func isSame(_ left: ModelConfiguration, _ right: ModelConfiguration) -> Bool {
        (left ?? defaultConfigurationName) == (right ?? defaultConfigurationName)
    }
}
