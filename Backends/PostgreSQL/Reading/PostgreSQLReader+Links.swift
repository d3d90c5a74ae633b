import CofferSQL
import CofferStorage

extension PostgreSQLReader {
    func links(
        _ table: Int, after last: ChangeSet.Link?, limit: Int
    ) throws(StorageError) -> [ChangeSet.Link] {
        let schema = session.schema
        guard schema.links.indices.contains(table) else { throw .noLinkTable(table) }
        let columns = schema.links[table]
        let text = SQLLoading(schema, PostgreSQLDialect()).links(table, isFirstPage: last == nil, limit: limit)
        let bindings = last.map { [Value.integer($0.first), .integer($0.second)] } ?? []
        let parameters = PostgreSQLParameters(bindings)
        let rows = try ask { connection throws(StorageError) in try connection.query(text, parameters) }
        return (0..<rows.rowCount).map { row in columns.link(table) { rows.word(row, $0) } }
    }
}
