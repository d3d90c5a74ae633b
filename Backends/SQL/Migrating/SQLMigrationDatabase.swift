public import CofferStorage

/// The database interface of a migration step: executes statements, and reads and inserts rows and links.
///
/// The step runs in a transaction, and processes rows and links one by one. Only the rows that are read or written at
/// once are in memory.
public protocol SQLMigrationDatabase {
    /// The type that creates the target's tables.
    associatedtype Definition: SQLDefinition

    /// The value that creates the target's tables.
    var definition: Definition { get }

    /// The statement that lists the names of all indexes.
    var indexNames: String { get }

    /// Runs a statement without a result.
    func execute(_ text: String, _ values: [Value]) throws(StorageError)

    /// Returns the strings in the first column of a result, without nulls.
    func texts(_ text: String, _ values: [Value]) throws(StorageError) -> [String]

    /// Calls the closure with every row of a renamed table: ``SQLMigration/allRows(_:)``.
    func forEachRow(
        _ table: SQLMigration.RenamedTable, _ body: (Row) throws(StorageError) -> Void
    ) throws(StorageError)

    /// Calls the closure with every link of a renamed table: ``SQLMigration/allLinks(_:)``.
    func forEachLink(
        _ table: SQLMigration.RenamedTable, _ body: (ChangeSet.Link) throws(StorageError) -> Void
    ) throws(StorageError)

    /// Adds a row of the target, at once or at ``flush()``.
    func insert(_ row: Row) throws(StorageError)

    /// Adds a link of the target, at once or at ``flush()``.
    ///
    /// If the link exists, the call sets its places. In a relationship that is its own inverse, the smaller key comes
    /// first.
    func insert(_ link: ChangeSet.Link) throws(StorageError)

    /// Writes the rows and links that are not written yet.
    func flush() throws(StorageError)
}
