/// A reader of one consistent snapshot, which returns rows, keys, counts, values and related rows.
///
/// Only one thread at a time uses a reader.
///
/// If a request does not fit the model, implementations must throw `invalidRequest`; see `ModelLayout.check(_:)`
/// (`errors/invalid-request`). After any error, a reader must stay usable (`errors/reader-survives-error`).
public protocol StorageReader: AnyObject {
    /// Returns the rows of a request, in the order of the request.
    ///
    /// Implementations must return each row with its own entity and all of its columns, even if another entity was
    /// requested (`fetching/whole-rows`). The results must be the results of `ReferenceEvaluator` (`fetching/random`,
    /// `computing/random`).
    func rows(_ request: RowRequest) throws(StorageError) -> [Row]

    /// Returns the keys of the rows of a request, in the order of the request (`fetching/keys`).
    func keys(_ request: RowRequest) throws(StorageError) -> [Int64]

    /// Returns the number of rows of a request, with its offset and limit (`fetching/count`).
    func count(_ request: RowRequest) throws(StorageError) -> Int

    /// Returns the values of a request: for each row or group, a value for each term.
    ///
    /// The results must be the results of `ReferenceEvaluator` (`querying/random`). Each value must have the kind of
    /// its column (`values/computed`). Sums of doubles must be rounded once (`querying/double-sums-are-exact`).
    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]]

    /// Returns the row with a key, of any entity of the tree; nil if it does not exist.
    ///
    /// `fetching/by-key`, `fetching/roots-are-apart`
    ///
    /// - Parameter root: the index of the root entity.
    func row(root: Int, key: Int64) throws(StorageError) -> Row?

    /// Returns the rows with any number of keys, in any order (`fetching/by-keys`).
    ///
    /// Missing rows are left out.
    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row]

    /// Returns the related objects of one to-many relationship, for many owners at once.
    ///
    /// Implementations must return the related rows grouped by owner. Each owner occurs once, and the owners may have
    /// any order. Owners without related rows may be left out. The rows of an owner must have the order of the
    /// relationship, and ties are broken by key. If the relationship is not ordered, the rows are ordered by key
    /// (`relationships/one-to-many`, `relationships/ordered-one-to-many`, `relationships/many-to-many`,
    /// `relationships/ordered-many-to-many`). Implementations must return whole rows (`relationships/whole-rows`). They
    /// must support any number of owners, and one statement must read as many owners as the limits of the store allow
    /// (`relationships/many-owners`).
    ///
    /// - Parameter relationship: the index in ``ModelLayout/relationships``.
    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows]

    /// Returns the keys and places of the members of one to-many relationship, for many owners at once.
    ///
    /// Implementations must return the keys of the rows that ``related(_:of:)`` returns, in the same order. In an
    /// ordered relationship, each key has its place; in other relationships, it has no place (`relationships/members`).
    /// The core calls this method before it inserts an object between others. If whole rows cost more to read,
    /// implementations must not read whole rows.
    ///
    /// - Parameter relationship: the index in ``ModelLayout/relationships``.
    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers]

    /// Returns the last places of an ordered relationship, by owner; owners without places are left out.
    ///
    /// The default implementation reads all members. If an implementation can find the last place without the other
    /// members, it must return the same result (`relationships/last-places`).
    func lastPlaces(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [Int64: Int64]

    /// Calls the closure with each row that ``rows(_:)`` returns, in its order (`fetching/row-by-row`).
    ///
    /// This method and the next two have default implementations that request the whole list. If a backend decodes rows
    /// one by one, it should implement these methods, so that rows need not be in a list. The caller creates an object
    /// from each row and keeps the object. The closure may use other readers of the store.
    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError)

    /// Calls the closure with each row that ``rows(root:keys:)`` returns (`fetching/row-by-row`).
    func forEachRow(root: Int, keys: [Int64], _ body: (consuming Row) -> Void) throws(StorageError)

    /// Calls the closure with each owner and row of ``related(_:of:)``.
    ///
    /// If the relationship is ordered, the rows of one owner must have its order (`relationships/row-by-row`).
    /// Otherwise, they may have any order. The rows of different owners may alternate. A backend can therefore read
    /// the rows in the order in which they are stored.
    func forEachRelated(
        _ relationship: Int, of owners: [Int64], _ body: (_ owner: Int64, _ row: consuming Row) -> Void
    ) throws(StorageError)

    /// Ends the snapshot.
    ///
    /// The reader is not used afterwards. If the reader is released without this call, the snapshot ends as well.
    func finish()
}

extension StorageReader {
    /// Finds the last places among all members.
    public func lastPlaces(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [Int64: Int64] {
        var last: [Int64: Int64] = [:]
        for related in try members(relationship, of: owners) {
            if let place = related.members.last?.place { last[related.owner] = place }
        }
        return last
    }

    /// Calls the closure with each row of ``rows(_:)``.
    public func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        for row in try rows(request) { body(row) }
    }

    /// Calls the closure with each row of ``rows(root:keys:)``.
    public func forEachRow(root: Int, keys: [Int64], _ body: (consuming Row) -> Void) throws(StorageError) {
        for row in try rows(root: root, keys: keys) { body(row) }
    }

    /// Calls the closure with each row of ``related(_:of:)``.
    public func forEachRelated(
        _ relationship: Int, of owners: [Int64], _ body: (_ owner: Int64, _ row: consuming Row) -> Void
    ) throws(StorageError) {
        for related in try related(relationship, of: owners) {
            for row in related.rows { body(related.owner, row) }
        }
    }
}

/// The related rows of one owner.
public struct RelatedRows: Sendable {
    /// The owner's key.
    public var owner: Int64
    /// The related rows.
    public var rows: [Row]

    /// Creates the related rows of an owner.
    public init(owner: Int64, rows: [Row]) {
        self.owner = owner
        self.rows = rows
    }
}

/// The keys and places of the members of one owner.
public struct RelatedMembers: Hashable, Sendable {
    /// A member of a to-many relationship.
    public struct Member: Hashable, Sendable {
        /// The key of the member.
        public var key: Int64
        /// The place of the member; nil if the relationship is not ordered, or if the member has no place.
        public var place: Int64?

        /// Creates a member with a place.
        public init(key: Int64, place: Int64?) {
            self.key = key
            self.place = place
        }
    }

    /// The owner's key.
    public var owner: Int64
    /// The members, in the relationship's order.
    public var members: [Member]

    /// Creates the members of an owner.
    public init(owner: Int64, members: [Member]) {
        self.owner = owner
        self.members = members
    }
}
