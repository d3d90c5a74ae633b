public import CofferClauses
public import CofferSchema
public import CofferStorage

/// Fetches objects, counts and ids: `fetchOne`, `fetchAll`, `fetchCount`, `fetchObjectID`, `fetchObjectIDs`.
extension FetchableSource {
    // MARK: One object

    /// Returns the first object that a fetch finds.
    ///
    /// ```swift
    /// let ann = try stack.fetchOne(From<Person>(), Where<Person>(\.$name == "Ann"))
    /// ```
    ///
    /// If several objects match, the order decides. Without an order, the result is the object with the lowest key in
    /// the first store that has a match.
    ///
    /// - Returns: the object of this source, or nil if no object matches.
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example for an unknown key.
    public func fetchOne<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) throws(CoreStoreError) -> O? {
        try fetchOne(from, fetchClauses)
    }

    /// Returns the first object that a fetch with a list of clauses finds, or nil if no object matches.
    public func fetchOne<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) throws(CoreStoreError) -> O? {
        try _graph.calls.fetching(O.self) { () throws(CoreStoreError) in
            try _graph.calls.objects(from, fetchClauses) { $0.fetchLimit = 1 }.first
        }
    }

    /// Returns the first object that a chain of clauses finds.
    ///
    /// ```swift
    /// let oldest = try stack.fetchOne(From<Person>().orderBy(.descending(\.$age)))
    /// ```
    ///
    /// Without an order, the result is the object with the lowest key in the first store that has a match.
    ///
    /// - Returns: the object of this source, or nil if no object matches.
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example for an unknown key.
    public func fetchOne<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> B.ObjectType? {
        try fetchOne(clauseChain.from, clauseChain.fetchClauses)
    }

    // MARK: All objects

    /// Returns all objects that a fetch finds.
    ///
    /// ```swift
    /// let adults = try stack.fetchAll(
    ///     From<Person>(), Where<Person>(\.$age >= 18), OrderBy<Person>(.ascending(\.$name))
    /// )
    /// ```
    ///
    /// The clauses are applied from left to right. Without an order, the objects of each store are ordered by key.
    ///
    /// - Returns: the objects of this source; an empty array if no object matches.
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example for an unknown key.
    public func fetchAll<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) throws(CoreStoreError) -> [O] {
        try fetchAll(from, fetchClauses)
    }

    /// Returns all objects that a fetch with a list of clauses finds; an empty array if no object matches.
    public func fetchAll<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) throws(CoreStoreError) -> [O] {
        try _graph.calls.fetching(O.self) { () throws(CoreStoreError) in
            try _graph.calls.objects(from, fetchClauses)
        }
    }

    /// Returns all objects that a chain of clauses finds.
    ///
    /// ```swift
    /// let adults = try stack.fetchAll(From<Person>().where { $0.$age >= 18 }.orderBy(.ascending(\.$name)))
    /// ```
    ///
    /// The objects belong to this source: read the objects of a data stack on its view queue, and the objects of a
    /// transaction inside its closure. Without an order, the objects of each store are ordered by key.
    ///
    /// - Returns: the objects; an empty array if no object matches.
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example for an unknown key.
    public func fetchAll<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> [B.ObjectType] {
        try fetchAll(clauseChain.from, clauseChain.fetchClauses)
    }

    // MARK: Counts

    /// Counts the objects that a fetch finds, without creating them.
    ///
    /// ```swift
    /// let count = try stack.fetchCount(From<Person>(), Where<Person>(\.$age >= 18))
    /// ```
    ///
    /// A limit or an offset of the fetch also limits the count. In a transaction, the count includes pending changes.
    ///
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example for an unknown key.
    public func fetchCount<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) throws(CoreStoreError) -> Int {
        try fetchCount(from, fetchClauses)
    }

    /// Counts the objects that a fetch with a list of clauses finds, without creating them.
    public func fetchCount<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) throws(CoreStoreError) -> Int {
        try _graph.calls.computing("count", O.self) { graph throws(CoreStoreError) in
            try graph.calls.result(of: from, fetchClauses) { fetch throws(StorageError) in
                try graph.state.fetcher.count(fetch)
            }
        }
    }

    /// Counts the objects that a chain of clauses finds, without creating them.
    ///
    /// ```swift
    /// let count = try stack.fetchCount(From<Person>().where { $0.$age >= 18 })
    /// ```
    ///
    /// A limit or an offset of the chain also limits the count. In a transaction, the count includes pending changes.
    ///
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example for an unknown key.
    public func fetchCount<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> Int {
        try fetchCount(clauseChain.from, clauseChain.fetchClauses)
    }

    // MARK: Ids

    /// Returns the id of the first object that a fetch finds, without creating the object.
    ///
    /// ```swift
    /// let id = try stack.fetchObjectID(From<Person>(), Where<Person>(\.$name == "Ann"))
    /// ```
    ///
    /// An id may be used on any thread and in any transaction of the stack.
    ///
    /// - Returns: the id, or nil if no object matches.
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example for an unknown key.
    public func fetchObjectID<O>(
        _ from: From<O>, _ fetchClauses: any FetchClause...
    ) throws(CoreStoreError) -> ObjectID? {
        try fetchObjectID(from, fetchClauses)
    }

    /// Returns the id of the first object that a fetch with a list of clauses finds, or nil if no object matches.
    ///
    /// The object is not created.
    public func fetchObjectID<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) throws(CoreStoreError) -> ObjectID?
    {
        try _graph.calls.computing("fetch", O.self) { graph throws(CoreStoreError) in
            try graph.calls.result(of: from, fetchClauses) {
                $0.fetchLimit = 1
            } _: { fetch throws(StorageError) in
                try graph.state.fetcher.ids(fetch).first
            }
        }
    }

    /// Returns the id of the first object that a chain of clauses finds, or nil if no object matches.
    ///
    /// ```swift
    /// let id = try stack.fetchObjectID(From<Person>().where { $0.$name == "Ann" })
    /// ```
    ///
    /// The object is not created. The call throws the same errors as a fetch of the object.
    public func fetchObjectID<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> ObjectID? {
        try fetchObjectID(clauseChain.from, clauseChain.fetchClauses)
    }

    /// Returns the ids of all objects that a fetch finds, without creating the objects.
    ///
    /// ```swift
    /// let ids = try stack.fetchObjectIDs(From<Person>(), OrderBy<Person>(.ascending(\.$name)))
    /// ```
    ///
    /// Ids may be used on any thread and in any transaction of the stack. They need less memory than objects.
    ///
    /// - Returns: the ids in the order of the fetch; an empty array if no object matches.
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example for an unknown key.
    public func fetchObjectIDs<O>(
        _ from: From<O>, _ fetchClauses: any FetchClause...
    ) throws(CoreStoreError) -> [ObjectID] {
        try fetchObjectIDs(from, fetchClauses)
    }

    /// Returns the ids of all objects that a fetch with a list of clauses finds; an empty array if no object matches.
    ///
    /// The objects are not created.
    public func fetchObjectIDs<O>(
        _ from: From<O>, _ fetchClauses: [any FetchClause]
    ) throws(CoreStoreError) -> [ObjectID] {
        try _graph.calls.computing("fetch", O.self) { graph throws(CoreStoreError) in
            try graph.calls.result(of: from, fetchClauses) { fetch throws(StorageError) in
                try graph.state.fetcher.ids(fetch)
            }
        }
    }

    /// Returns the ids of all objects that a chain of clauses finds; an empty array if no object matches.
    ///
    /// ```swift
    /// let ids = try stack.fetchObjectIDs(From<Person>().where { $0.$age >= 18 })
    /// ```
    ///
    /// The objects are not created. The call throws the same errors as a fetch of the objects.
    public func fetchObjectIDs<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> [ObjectID] {
        try fetchObjectIDs(clauseChain.from, clauseChain.fetchClauses)
    }
}
