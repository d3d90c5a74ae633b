/// Reads one consistent snapshot of a store.
///
/// Used by one thread at a time.
///
/// Implementations must throw `invalidRequest` for a request that does not fit the model, see
/// `ModelLayout.check(_:)` (`errors/invalid-request`), and must stay usable after any error
/// (`errors/reader-survives-error`).
public protocol StorageReader: AnyObject {
    /// The rows a request asks for, in its order.
    ///
    /// Implementations must return each row with its own entity and all of its columns, whichever entity was asked for
    /// (`fetching/whole-rows`), and must agree with `ReferenceEvaluator` (`fetching/random`,
    /// `computing/random`).
    func rows(_ request: RowRequest) throws(StorageError) -> [Row]

    /// The keys of the rows a request asks for, in its order (`fetching/keys`).
    func keys(_ request: RowRequest) throws(StorageError) -> [Int64]

    /// How many rows a request asks for, its offset and limit taken into account (`fetching/count`).
    func count(_ request: RowRequest) throws(StorageError) -> Int

    /// The values a request asks for: for each row or group, a value for each term.
    ///
    /// Implementations must agree with `ReferenceEvaluator` (`querying/random`), must give each value as the kind its
    /// column has (`values/computed`), and must round sums of doubles once (`querying/double-sums-are-exact`).
    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]]

    /// The row with a key, of whichever entity of the tree, or nil (`fetching/by-key`, `fetching/roots-are-apart`).
    ///
    /// - Parameter root: the index of the root entity.
    func row(root: Int, key: Int64) throws(StorageError) -> Row?

    /// The rows with some keys, any number of them and in any order; those that do not exist are left out
    /// (`fetching/by-keys`).
    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row]

    /// The objects that one to-many relationship leads to, for many owners at once.
    ///
    /// Implementations must return the related rows owner by owner, each owner once and the owners in any order;
    /// owners that lead to none may be left out. Each owner's rows must come in the relationship's order, ties by key,
    /// or, when it has none, in the order of the keys (`relationships/one-to-many`,
    /// `relationships/ordered-one-to-many`, `relationships/many-to-many`, `relationships/ordered-many-to-many`), as
    /// whole rows (`relationships/whole-rows`). One request to the store must do for any number of owners that its
    /// limits allow, and any number of owners must be answered (`relationships/many-owners`).
    ///
    /// - Parameter relationship: the index in ``ModelLayout/relationships``.
    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows]

    /// The keys and places of the objects that one to-many relationship leads to, for many owners at once.
    ///
    /// Implementations must return the keys of the rows that ``related(_:of:)`` returns, in the same order, each with its
    /// place in an ordered relationship and without one in others (`relationships/members`). The core asks for them
    /// before it puts an object between others, so this must not read whole rows where that costs more.
    ///
    /// - Parameter relationship: the index in ``ModelLayout/relationships``.
    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers]

    /// The last places of ordered relationships, by owner; owners without places are left out.
    ///
    /// The default asks for all members. Implementations that can find the last one alone must give the same answer
    /// (`relationships/last-places`).
    func lastPlaces(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [Int64: Int64]

    /// Calls the closure with each row that ``rows(_:)`` returns, in its order (`fetching/row-by-row`).
    ///
    /// This and the next two have a default that asks for the list. Backends that make rows as they go implement them,
    /// so that a row is handed on without having been in a list: the caller makes an object of each and keeps it. The
    /// closure may use other readers of the store.
    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError)

    /// Calls the closure with each row that ``rows(root:keys:)`` returns (`fetching/row-by-row`).
    func forEachRow(root: Int, keys: [Int64], _ body: (consuming Row) -> Void) throws(StorageError)

    /// Calls the closure with each owner and row that ``related(_:of:)`` returns, in its order
    /// (`relationships/row-by-row`).
    func forEachRelated(
        _ relationship: Int, of owners: [Int64], _ body: (_ owner: Int64, _ row: consuming Row) -> Void
    ) throws(StorageError)

    /// Ends the snapshot. The reader is not used afterwards. Releasing the reader does the same.
    func finish()
}

extension StorageReader {
    /// The last places among all members.
    public func lastPlaces(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [Int64: Int64] {
        var last: [Int64: Int64] = [:]
        for related in try members(relationship, of: owners) {
            if let place = related.members.last?.place { last[related.owner] = place }
        }
        return last
    }

    /// Calls the closure with each row of the list.
    public func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        for row in try rows(request) { body(row) }
    }

    /// Calls the closure with each row of the list.
    public func forEachRow(root: Int, keys: [Int64], _ body: (consuming Row) -> Void) throws(StorageError) {
        for row in try rows(root: root, keys: keys) { body(row) }
    }

    /// Calls the closure with each row of the lists.
    public func forEachRelated(
        _ relationship: Int, of owners: [Int64], _ body: (_ owner: Int64, _ row: consuming Row) -> Void
    ) throws(StorageError) {
        for related in try related(relationship, of: owners) {
            for row in related.rows { body(related.owner, row) }
        }
    }
}

/// The rows that one owner's to-many relationship leads to.
public struct RelatedRows: Sendable {
    /// The owner's key.
    public var owner: Int64
    /// The related rows.
    public var rows: [Row]

    /// The rows of one owner.
    public init(owner: Int64, rows: [Row]) {
        self.owner = owner
        self.rows = rows
    }
}

/// The keys and places of the objects that one owner's to-many relationship leads to.
public struct RelatedMembers: Hashable, Sendable {
    /// One of the objects.
    public struct Member: Hashable, Sendable {
        /// Its key.
        public var key: Int64
        /// Its place; nil where the relationship has no order, or the object no place in it.
        public var place: Int64?

        /// An object at a place.
        public init(key: Int64, place: Int64?) {
            self.key = key
            self.place = place
        }
    }

    /// The owner's key.
    public var owner: Int64
    /// The objects, in the relationship's order.
    public var members: [Member]

    /// The objects of one owner.
    public init(owner: Int64, members: [Member]) {
        self.owner = owner
        self.members = members
    }
}
