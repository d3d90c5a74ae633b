public import CofferClauses
public import CofferSchema
public import CofferStorage

extension FetchableSource {
    // MARK: One object

    /// The first object a fetch finds, or nil.
    ///
    /// - Throws: ``CoreStoreError``, logged once: no store holds the class, a key is unknown, a store failed.
    public func fetchOne<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) throws(CoreStoreError) -> O? {
        try fetchOne(from, fetchClauses)
    }

    /// The first object a fetch finds, or nil.
    public func fetchOne<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) throws(CoreStoreError) -> O? {
        try _graph.calls.fetching(O.self) { () throws(CoreStoreError) in
            let fetch = try _graph.fetch(from, fetchClauses) { $0.fetchLimit = 1 }
            return try _graph.calls.typedObjects(fetch, O.self).first
        }
    }

    /// The first object a fetch finds, or nil.
    public func fetchOne<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> B.ObjectType? {
        try fetchOne(clauseChain.from, clauseChain.fetchClauses)
    }

    // MARK: All objects

    /// Every object a fetch finds, in its order.
    ///
    /// ```swift
    /// let adults = try stack.fetchAll(From<Person>().where { $0.$age >= 18 }.orderBy(.ascending(\.$name)))
    /// ```
    ///
    /// - Throws: ``CoreStoreError``, logged once: no store holds the class, a key is unknown, a store failed.
    public func fetchAll<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) throws(CoreStoreError) -> [O] {
        try fetchAll(from, fetchClauses)
    }

    /// Every object a fetch finds, in its order.
    public func fetchAll<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) throws(CoreStoreError) -> [O] {
        try _graph.calls.fetching(O.self) { () throws(CoreStoreError) in
            try _graph.calls.typedObjects(_graph.fetch(from, fetchClauses), O.self)
        }
    }

    /// Every object a fetch finds, in its order.
    public func fetchAll<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> [B.ObjectType] {
        try fetchAll(clauseChain.from, clauseChain.fetchClauses)
    }

    // MARK: Counts

    /// How many objects a fetch finds; its limit is honoured.
    public func fetchCount<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) throws(CoreStoreError) -> Int {
        try fetchCount(from, fetchClauses)
    }

    /// How many objects a fetch finds; its limit is honoured.
    public func fetchCount<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) throws(CoreStoreError) -> Int {
        try _graph.calls.computing("count", O.self) { graph throws(CoreStoreError) in
            try graph.calls.count(of: graph.fetch(from, fetchClauses))
        }
    }

    /// How many objects a fetch finds; its limit is honoured.
    public func fetchCount<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> Int {
        try fetchCount(clauseChain.from, clauseChain.fetchClauses)
    }

    // MARK: Ids

    /// The id of the first object a fetch finds, or nil.
    ///
    /// No object is made.
    public func fetchObjectID<O>(
        _ from: From<O>, _ fetchClauses: any FetchClause...
    ) throws(CoreStoreError) -> ObjectID? {
        try fetchObjectID(from, fetchClauses)
    }

    /// The id of the first object a fetch finds, or nil.
    ///
    /// No object is made.
    public func fetchObjectID<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) throws(CoreStoreError) -> ObjectID?
    {
        try _graph.calls.computing("fetch", O.self) { graph throws(CoreStoreError) in
            let fetch = try graph.fetch(from, fetchClauses) { $0.fetchLimit = 1 }
            return try graph.calls.objectIDs(of: fetch).first
        }
    }

    /// The id of the first object a fetch finds, or nil.
    ///
    /// No object is made.
    public func fetchObjectID<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> ObjectID? {
        try fetchObjectID(clauseChain.from, clauseChain.fetchClauses)
    }

    /// The ids of every object a fetch finds, in its order.
    ///
    /// No object is made.
    public func fetchObjectIDs<O>(
        _ from: From<O>, _ fetchClauses: any FetchClause...
    ) throws(CoreStoreError) -> [ObjectID] {
        try fetchObjectIDs(from, fetchClauses)
    }

    /// The ids of every object a fetch finds, in its order.
    ///
    /// No object is made.
    public func fetchObjectIDs<O>(
        _ from: From<O>, _ fetchClauses: [any FetchClause]
    ) throws(CoreStoreError) -> [ObjectID] {
        try _graph.calls.computing("fetch", O.self) { graph throws(CoreStoreError) in
            try graph.calls.objectIDs(of: graph.fetch(from, fetchClauses))
        }
    }

    /// The ids of every object a fetch finds, in its order.
    ///
    /// No object is made.
    public func fetchObjectIDs<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> [ObjectID] {
        try fetchObjectIDs(clauseChain.from, clauseChain.fetchClauses)
    }
}
