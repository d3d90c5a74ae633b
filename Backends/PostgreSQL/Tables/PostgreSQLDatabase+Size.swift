import CofferSQL
import CofferStorage

/// Reports the size of the tables of a store.
extension PostgreSQLDatabase {
    func byteCount() throws(StorageError) -> Int64? {
        guard let metadata = try inspect() else { return nil }
        let schema = SQLSchema(try ModelLayout(metadata.model), naming: PostgreSQLDialect.naming)
        let names = schema.rootTables.map(\.name) + schema.links.map(\.name) + [SQLMetadata.table, SQLMetadata.keys]
        let connection = try PostgreSQLConnection(address, options)
        var parameters = PostgreSQLParameters([.text(address.schema)])
        parameters.append(texts: names)
        let size = try connection.query(
            "SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c "
                + "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = ANY($2)",
            parameters)
        return size.integer(0, 0)
    }
}
