public import CofferStorage

/// The statements of a database that create the tables of a schema.
public protocol SQLDefinition {
    /// The schema.
    var schema: SQLSchema { get }

    /// Returns the statement that creates a table of rows, without its indexes.
    func table(_ table: SQLTable) -> String

    /// Returns the statements that create a table of links and then its indexes.
    func linkTable(_ link: SQLLinkTable) -> [String]

    /// Returns the statement that creates an index or a unique constraint, if no index has its name.
    func creation(_ index: SQLIndex) -> String

    /// Returns the statements that upgrade the tables from the previous format to a format.
    ///
    /// If a statement recreates a table, the indexes of the table may be lost. The caller creates them again.
    func upgrade(to format: SQLFormat) -> [String]
}

extension SQLDefinition {
    /// The statements that create all tables of rows, without their indexes, and all tables of links.
    public var tables: [String] { schema.rootTables.map(table) + schema.links.flatMap(linkTable) }

    /// The statements that create all indexes and unique constraints of rows.
    public var indexes: [String] { schema.indexes.map(creation) }

    /// Creates the missing indexes and unique constraints of rows.
    ///
    /// - Parameters:
    ///   - execute: runs a statement.
    ///   - violation: returns the error if rows break the constraint of a root entity on some slots.
    public func makeIndexes(
        _ execute: (String) throws(StorageError) -> Void,
        orThrow violation: (_ root: Int, _ slots: [Int]) -> StorageError
    ) throws(StorageError) {
        for index in schema.indexes {
            do throws(StorageError) {
                try execute(creation(index))
            } catch {
                guard error.code == .uniqueViolation, let number = index.constraint else { throw error }
                var named = violation(index.root, schema.layout.entities[index.root].uniqueConstraints[number])
                named.cause = error.cause
                throw named
            }
        }
    }
}
