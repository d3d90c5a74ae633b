public import CofferStorage

/// What a database says to make the tables of a schema.
public protocol SQLDefinition {
    /// The schema.
    var schema: SQLSchema { get }

    /// The statement that makes a table of rows, without its indexes.
    func table(_ table: SQLTable) -> String

    /// The statements that make a table of links: first the table, then its indexes.
    func linkTable(_ link: SQLLinkTable) -> [String]

    /// The statement that makes an index or unique constraint where there is none of its name.
    func creation(_ index: SQLIndex) -> String

    /// The statements that take the tables from the format before another to that one.
    ///
    /// Indexes of the tables that are made anew may be lost: they are made afterwards.
    func upgrade(to format: SQLFormat) -> [String]
}

extension SQLDefinition {
    /// The statements that make all tables of rows, without their indexes, and all tables of links.
    public var tables: [String] {
        schema.roots.map { table(schema.tables[$0.index]) } + schema.links.flatMap(linkTable)
    }

    /// The statements that make all indexes and unique constraints of rows.
    public var indexes: [String] { schema.indexes.map(creation) }

    /// Makes the indexes and unique constraints of rows that are missing.
    ///
    /// - Parameters:
    ///   - execute: runs a statement.
    ///   - violation: the error for rows that break a constraint: that of a root entity, on some slots.
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
