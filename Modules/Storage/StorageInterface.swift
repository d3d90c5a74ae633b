/// The narrow waist: everything Coffer asks of a backend.
///
/// A store keeps rows and links and answers requests about them. It knows nothing of objects, clauses or transactions.
/// Everything it is handed is a plain `Sendable` value, addressed by the indexes of a ``ModelLayout``. What a request
/// means is defined by ``ReferenceEvaluator``; that a store agrees is proved by the conformance suite.
///
/// The core calls every method from threads that may block. It adds the store and the operation to thrown errors.
public protocol StorageInterface: AnyObject, Sendable {
    /// The kind of store, for logs: "SQLite", "InMemory".
    static var storeType: String { get }

    /// The subset of the entities the store holds, by the configuration's name; nil for the default one.
    var configuration: ModelConfiguration { get }

    /// Which store this is, without secrets, for logs and errors: `SQLiteStore 'people.db'`.
    var storeDescription: String { get }

    /// Tells what is there, or nil when there is nothing yet.
    ///
    /// Implementations must not create or change anything, and must work before ``open(_:)``.
    func inspect() throws(StorageError) -> StoreMetadata?

    /// Makes the store ready for use, creating it when there is nothing yet.
    ///
    /// Implementations must keep the model in the store, must throw `schemaMismatch` when the store holds data of
    /// another model (compare ``StoreModel/versionHashes``), and must leave nothing behind when they fail to create.
    func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata

    /// Releases everything. Reading and writing afterwards throws `closed`. Closing twice is harmless.
    func close()

    /// Closes and removes the store with all its data. Erasing what does not exist is harmless.
    func erase() throws(StorageError)

    /// A reader that sees one consistent snapshot, taken no later than its first use.
    ///
    /// Implementations must let any number of readers work in parallel, and must not let a reader wait for a writer.
    func makeReader() throws(StorageError) -> any StorageReader

    /// Reserves keys that no other call, in this or another process, will ever be given.
    ///
    /// - Parameter root: the index of a root entity.
    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64>

    /// Makes all changes, durably, or none.
    ///
    /// Implementations must resolve an insert that meets an existing row in a unique constraint by writing the new
    /// row's attributes and references into the existing one and reporting a ``CommitResult/Merge``; references and
    /// links of the same change set to the merged key must lead to the surviving row. They must throw
    /// `uniqueViolation` when an update would break a constraint, and `conflict` when a row to update is gone.
    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult
}

extension StorageInterface {
    /// Runs the closure with a reader and releases it.
    public func read<Result>(_ body: (any StorageReader) throws(StorageError) -> Result) throws(StorageError) -> Result {
        let reader = try makeReader()
        defer { reader.finish() }
        return try body(reader)
    }
}
