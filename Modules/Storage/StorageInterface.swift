/// The narrow waist: everything Coffer asks of a backend.
///
/// A store keeps rows and links and answers requests about them. It knows nothing of objects, clauses or transactions.
/// Everything it is handed is a plain `Sendable` value, addressed by the indexes of a ``ModelLayout``. What a request
/// means is defined by `ReferenceEvaluator`; that a store agrees is proved by the conformance suite. Words like
/// `commits/atomic` are the ids of its cases.
///
/// The core calls every method from threads that may block. It adds the store and the operation to thrown errors.
public protocol StorageInterface: AnyObject, Sendable {
    /// The kind of store, for logs: "SQLite", "InMemory".
    static var storeType: String { get }

    /// The subset of the entities the store holds, by the configuration's name; nil for the default one.
    var configuration: ModelConfiguration { get }

    /// The options by which Core Data would open the store, for programs that look at them; nil unless given.
    ///
    /// CoreStore requires this of every storage, and programs read it of `any StorageInterface`. It is a requirement, so
    /// that such a program gets the value of the store and not the default of the protocol. It has a default, because no
    /// part of Coffer reads it and most backends have nothing to say: theirs is nil. Not checked by the conformance suite.
    var storeOptions: [AnyHashable: Any]? { get }

    /// Which store this is, without secrets, for logs and errors: `SQLiteStore 'people.db'`.
    /// Implementations must give the same text before and after opening (`errors/describes-itself`).
    var storeDescription: String { get }

    /// Tells what is there, or nil when there is nothing yet.
    ///
    /// Implementations must not create or change anything (`durability/inspect-nothing`), and must work before
    /// ``open(_:)`` and while the store is open (`durability/metadata`).
    func inspect() throws(StorageError) -> StoreMetadata?

    /// Makes the store ready for use, creating it when there is nothing yet.
    ///
    /// Implementations must keep the model in the store (`durability/metadata`), must find again what was committed
    /// (`durability/rows`, `durability/links`, `durability/reopen-same-store`), and must throw `schemaMismatch`,
    /// changing nothing, when the store holds data of another model (ask ``StoreModel/isCompatible(with:)``:
    /// `errors/schema-mismatch`, `durability/same-hashes`). Any name must do for an entity and a property
    /// (`values/awkward-names`), and a new store has no rows (`fetching/empty-store`).
    ///
    /// Where a place cannot be used by two open stores at once, the second must throw `busy` (`isolation/two-stores`).
    /// Implementations must leave nothing behind when they fail to create (not checked: the suite cannot make a
    /// creation fail).
    func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata

    /// Releases everything. Reading and writing afterwards, as before opening, throws `closed` (`errors/closed`,
    /// `errors/not-opened`). Closing twice is harmless (`errors/close-twice`).
    func close()

    /// Closes and removes the store with all its data, whether it is open or not (`durability/erase`,
    /// `durability/erase-closed`). Erasing what does not exist is harmless (`durability/erase-nothing`).
    func erase() throws(StorageError)

    /// A reader that sees one consistent snapshot, taken no later than its first use.
    ///
    /// Implementations must let any number of readers work in parallel (`isolation/readers-in-parallel`), must not let
    /// a reader wait for a writer or a writer for a reader (`isolation/reader-does-not-block-writer`), and must show a
    /// reader each commit wholly or not at all (`isolation/snapshot`, `isolation/no-torn-reads`). A reader made after
    /// a commit returned must see it (`isolation/read-after-commit`).
    func makeReader() throws(StorageError) -> any StorageReader

    /// Reserves positive keys that no other call, in this or another process, will ever be given.
    ///
    /// Implementations must never give a key twice, used or not (`commits/keys-are-reserved-once`,
    /// `commits/key-survives-deletion`, `isolation/keys-in-parallel`, `durability/keys`). Reserving none must tell where
    /// the next reservation begins (`commits/reserving-none`).
    ///
    /// - Parameter root: the index of a root entity.
    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64>

    /// Makes all changes, durably, or none.
    ///
    /// Implementations must make a commit wholly or leave no trace of it (`commits/atomic`,
    /// `durability/failed-commit`), however large it is (`commits/large`, `commits/empty`), and must put the commits
    /// of several threads in a sequence (`isolation/writers-in-parallel`). After any commits the store must hold what
    /// ``ChangeSet`` and ``CommitResult`` say (`commits/random`).
    ///
    /// Implementations must resolve an insert that meets an existing row in a unique constraint by writing the new
    /// row's attributes and references into the existing one (`merging/insert-meets-row`, `merging/compound`), which
    /// keeps its links (`merging/keeps-links`), and reporting a ``CommitResult/Merge``; references and links of the
    /// same change set to the merged key must lead to the surviving row (`merging/references-follow`,
    /// `merging/links-follow`). A row that refers to the surviving row by a one-to-one relationship, and to which that
    /// row does not refer, must lose its reference (`merging/former-partner`, `policies/keep-references`).
    /// In an ordered relationship, the members of the merged row must come after those of the surviving row, in their
    /// own order: `ChangeSet.links(after:in:members:)` gives links their places (`merging/appends-links`), and
    /// `ChangeSet.places(after:count:)` the places of rows that refer to the merged row
    /// (`merging/appends-references`).
    ///
    /// That is what ``UniqueConstraintPolicy/merge`` means. Where ``ChangeSet/uniqueConstraintPolicies`` say otherwise,
    /// implementations must throw `uniqueViolation` (`policies/throw`, `policies/throw-between-inserts`,
    /// `policies/throw-in-parallel`), or leave the existing row as it is and report a merge that says so
    /// (`policies/keep`, `policies/keep-between-inserts`). `ChangeSet.merge(of:matching:_:)` decides, once the rows
    /// are known that have the unique values: which policy wins (`policies/per-constraint`), and that a row cannot stand
    /// for one of a sub-entity (`policies/sub-entity`). Policies are for inserts only: they must change nothing about
    /// updates, and nothing about when a value is free (`policies/updates`, `policies/freed`).
    ///
    /// Constraints must be judged by what deletes and updates leave: updates may exchange values (`merging/swap`), and
    /// inserts take what the commit frees (`merging/update-frees-insert`). Of two inserts that meet, the later must be
    /// merged into the earlier (`merging/inserts-meet`).
    ///
    /// They must throw `uniqueViolation` when an update would break a constraint (`merging/update-violates`,
    /// `merging/update-to-itself`), naming the entity and the attribute (`errors/unique-names-attribute`) but never
    /// the values (`errors/no-values`), and `conflict` when a row to update is gone (`commits/conflict`).
    ///
    /// They must refuse NaN in a column of numbers (`values/not-a-number`) or of dates (`values/not-a-date`), and to change
    /// a row that has the highest version there is (`commits/highest-version`), as an `invalidValue`.
    /// `ChangeSet.checkNumbers(_:)` does all three.
    ///
    /// Before changing anything they must call `ChangeSet.checkConditions(_:_:)`, with a reader of the state that the
    /// changes will be made to, and must let nobody else write what it reads until the commit is made
    /// (`conditions/atomic`, `conditions/in-parallel`).
    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult
}

extension StorageInterface {
    /// None.
    public var storeOptions: [AnyHashable: Any]? { nil }

    /// Runs the closure with a reader and releases it.
    public func read<Result>(_ body: (any StorageReader) throws(StorageError) -> Result) throws(StorageError) -> Result
    {
        let reader = try makeReader()
        defer { reader.finish() }
        return try body(reader)
    }
}
