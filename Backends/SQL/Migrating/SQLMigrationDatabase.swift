public import CofferStorage

/// A database while a step of a migration is made in it, within a transaction.
///
/// Rows and links pass through one by one: no more of them are in memory than are read or written at once.
public protocol SQLMigrationDatabase {
    /// What the target's tables are made by.
    associatedtype Definition: SQLDefinition

    /// What the target's tables are made by.
    var definition: Definition { get }

    /// The statement that lists the names of all indexes.
    var indexNames: String { get }

    /// Runs a statement that returns nothing.
    func execute(_ text: String, _ values: [Value]) throws(StorageError)

    /// The texts in the first column of an answer, without those that are null.
    func texts(_ text: String, _ values: [Value]) throws(StorageError) -> [String]

    /// Calls the closure with every row of a table that was renamed: ``SQLMigration/allRows(_:)``.
    func forEachRow(
        _ table: SQLMigration.RenamedTable, _ body: (Row) throws(StorageError) -> Void
    ) throws(StorageError)

    /// Calls the closure with every link of a table that was renamed: ``SQLMigration/allLinks(_:)``.
    func forEachLink(
        _ table: SQLMigration.RenamedTable, _ body: (ChangeSet.Link) throws(StorageError) -> Void
    ) throws(StorageError)

    /// Adds a row of the target, now or by ``flush()``.
    func insert(_ row: Row) throws(StorageError)

    /// Adds a link of the target, smaller key first where it leads both ways, or sets the positions of the one that is
    /// there; now or by ``flush()``.
    func insert(_ link: ChangeSet.Link) throws(StorageError)

    /// Writes what was not written yet.
    func flush() throws(StorageError)
}
