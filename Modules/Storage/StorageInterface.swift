/// The storage interface, the methods of a backend: inspect, open, close, erase, read, reserve keys and commit.
///
/// A store keeps rows and links, and answers requests about them. It has no knowledge of objects, clauses or
/// transactions. All arguments are plain `Sendable` values, which contain the indexes of a ``ModelLayout``.
/// `ReferenceEvaluator` defines the meaning of requests, and the conformance suite checks that a store has the same
/// results. Names such as `commits/atomic` are the ids of its cases.
///
/// The core calls every method from threads that may block. It adds the store and the operation to errors.
public protocol StorageInterface: AnyObject, Sendable {
    /// The kind of store, for logs: "SQLite", "InMemory".
    static var storeType: String { get }

    /// The name of the configuration whose entities the store holds; nil for the default configuration.
    var configuration: ModelConfiguration { get }

    /// The options with which Core Data would open the store, for programs that read them; nil by default.
    ///
    /// CoreStore requires this property of every storage, and programs read it from `any StorageInterface`. The
    /// property is a requirement, so that such a program gets the value of the store and not the default of the
    /// protocol. It has a default, because no part of Coffer reads it and most backends have no such options. The
    /// conformance suite does not check it.
    var storeOptions: [AnyHashable: Any]? { get }

    /// The description of the store without secrets, for logs and errors: `SQLiteStore '/data/people.db'`.
    ///
    /// Implementations must return the same string before and after opening (`errors/describes-itself`).
    var storeDescription: String { get }

    /// Returns the description of the store; nil if there is no store yet.
    ///
    /// Implementations must not create or change anything (`durability/inspect-nothing`), and must work before
    /// ``open(_:)`` and while the store is open (`durability/metadata`).
    func inspect() throws(StorageError) -> StoreMetadata?

    /// Opens the store, and creates it if it does not exist.
    ///
    /// Implementations must save the model in the store (`durability/metadata`), and must keep the committed data
    /// (`durability/rows`, `durability/links`, `durability/reopen-same-store`). If the store holds data of another
    /// model, they must throw `schemaMismatch` and change nothing. ``StoreModel/isCompatible(with:)`` decides this
    /// (`errors/schema-mismatch`, `durability/same-hashes`). Any string must be possible as the name of an entity or a
    /// property (`values/awkward-names`). A new store has no rows (`fetching/empty-store`).
    ///
    /// If two stores cannot be open at one place at the same time, opening the second must throw `busy`
    /// (`isolation/two-stores`). If the creation of a store fails, implementations must leave nothing behind (not
    /// checked: the suite cannot make a creation fail).
    func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata

    /// Closes the store and releases its resources.
    ///
    /// Before opening and after closing, reading and writing throw `closed` (`errors/closed`, `errors/not-opened`). If
    /// the store is already closed, the call has no effect (`errors/close-twice`).
    func close()

    /// Closes the store and removes it with all its data.
    ///
    /// The store may be open or closed (`durability/erase`, `durability/erase-closed`). If it does not exist, the call
    /// has no effect (`durability/erase-nothing`).
    func erase() throws(StorageError)

    /// Returns a reader of one consistent snapshot, which begins no later than the reader's first use.
    ///
    /// Implementations must allow any number of readers in parallel (`isolation/readers-in-parallel`). A reader must
    /// not wait for a writer, and a writer must not wait for a reader (`isolation/reader-does-not-block-writer`). A
    /// reader must see each commit completely or not at all (`isolation/snapshot`, `isolation/no-torn-reads`). If a
    /// reader is created after a commit has returned, it must see this commit (`isolation/read-after-commit`).
    func makeReader() throws(StorageError) -> any StorageReader

    /// Reserves positive keys that no other call, in any process, has received or will receive.
    ///
    /// Implementations must never return a key twice, whether it was used or not (`commits/keys-are-reserved-once`,
    /// `commits/key-survives-deletion`, `isolation/keys-in-parallel`, `durability/keys`). A reservation of 0 keys must
    /// return the start of the next reservation (`commits/reserving-none`).
    ///
    /// - Parameter root: the index of a root entity.
    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64>

    /// Saves all changes durably, or none.
    ///
    /// Implementations must save a commit of any size (`commits/large`, `commits/empty`) completely, or leave no trace
    /// of it (`commits/atomic`, `durability/failed-commit`). They must put the commits of several threads in a sequence
    /// (`isolation/writers-in-parallel`). After any sequence of commits, the store must hold the data that
    /// ``ChangeSet`` and ``CommitResult`` define (`commits/random`).
    ///
    /// If an inserted row has the unique values of a stored row, implementations must merge the two rows. They write
    /// the new attributes and references into the stored row (`merging/insert-meets-row`, `merging/compound`), and the
    /// stored row keeps its links (`merging/keeps-links`). They report a ``CommitResult/Merge``. References and links
    /// of the same change set to the merged key must refer to the surviving row (`merging/references-follow`,
    /// `merging/links-follow`). If a row refers to the surviving row by a one-to-one relationship, and the surviving
    /// row does not refer back, the row must lose its reference (`merging/former-partner`, `policies/keep-references`).
    /// In an ordered relationship, the members of the merged row must come after the members of the surviving row, in
    /// their own order. `ChangeSet.links(after:in:members:)` returns the places of links (`merging/appends-links`).
    /// `ChangeSet.places(after:count:)` returns the places of rows that refer to the merged row
    /// (`merging/appends-references`).
    ///
    /// These are the rules of ``UniqueConstraintPolicy/merge``. ``ChangeSet/uniqueConstraintPolicies`` can contain
    /// other policies. For `throwError`, implementations must throw `uniqueViolation` (`policies/throw`,
    /// `policies/throw-between-inserts`, `policies/throw-in-parallel`). For `keepStored`, they must leave the stored
    /// row unchanged and report this in the merge (`policies/keep`, `policies/keep-between-inserts`). As soon as the
    /// rows with the unique values are known, `ChangeSet.merge(of:matching:_:)` makes the decision. It decides which
    /// policy takes precedence (`policies/per-constraint`), and refuses a merge of a row into a row of its super-entity
    /// (`policies/sub-entity`). Policies are for inserts only. They must not affect updates, and must not affect when a
    /// value is free (`policies/updates`, `policies/freed`).
    ///
    /// Implementations must check constraints against the state after all deletes and updates. Updates may exchange
    /// values (`merging/swap`), and inserts may use values that the commit frees (`merging/update-frees-insert`). If
    /// two inserts have the same unique values, the later must be merged into the earlier (`merging/inserts-meet`).
    ///
    /// If an update would break a constraint, implementations must throw `uniqueViolation` (`merging/update-violates`,
    /// `merging/update-to-itself`). The error must name the entity and the attribute (`errors/unique-names-attribute`),
    /// but never the values (`errors/no-values`). If a row to update was deleted, implementations must throw `conflict`
    /// (`commits/conflict`).
    ///
    /// Implementations must throw `invalidValue` for NaN in a column of numbers (`values/not-a-number`) or of dates
    /// (`values/not-a-date`). They must also throw it for an update of a row that has the highest possible version
    /// (`commits/highest-version`). `ChangeSet.checkNumbers(_:)` makes these three checks.
    ///
    /// Before the first change, implementations must call `ChangeSet.checkConditions(_:_:)`, with a reader of the state
    /// to which the changes will be applied. Until the commit is complete, no other writer may write the data that this
    /// reader reads (`conditions/atomic`, `conditions/in-parallel`).
    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult
}

extension StorageInterface {
    /// Returns nil.
    public var storeOptions: [AnyHashable: Any]? { nil }

    /// Calls the closure with a reader, and then releases the reader.
    public func read<Result>(_ body: (any StorageReader) throws(StorageError) -> Result) throws(StorageError) -> Result
    {
        let reader = try makeReader()
        defer { reader.finish() }
        return try body(reader)
    }
}
