import CofferSQL
public import CofferStorage

extension PostgreSQLStore: CheckableStorage {
    /// The size of the tables with their indexes.
    public func byteCount() throws(StorageError) -> Int64? { try database.byteCount() }

    /// Nothing: a server looks after its files by itself, and has tools of its own for what it cannot mend.
    public func damage() throws(StorageError) -> [String] { [] }
}

extension PostgreSQLDatabase {
    func byteCount() throws(StorageError) -> Int64? {
        guard let metadata = try inspect() else { return nil }
        let schema = SQLSchema(try ModelLayout(metadata.model), naming: PostgreSQLDialect.naming)
        let roots = schema.layout.entities.filter { $0.root == $0.index }.map { schema.tables[$0.index].name }
        let names = Set(roots + schema.links.map(\.name) + [SQLMetadata.table, SQLMetadata.keys])
        let tables = try PostgreSQLConnection(address, configuration).query(
            "SELECT c.relname::text, pg_total_relation_size(c.oid)::bigint FROM pg_class c "
                + "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'",
            PostgreSQLParameters([.text(address.schema)]))
        return (0..<tables.rowCount).filter { tables.string($0, 0).map(names.contains) ?? false }
            .reduce(0) { $0 + tables.integer($1, 1) }
    }
}
