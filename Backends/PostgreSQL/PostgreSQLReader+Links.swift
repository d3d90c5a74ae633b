import CofferSQL
import CofferStorage

extension PostgreSQLReader: LinkReader {
    func links(
        _ table: Int, after last: ChangeSet.Link?, limit: Int
    ) throws(StorageError) -> [ChangeSet.Link] {
        let schema = session.schema
        guard schema.links.indices.contains(table) else { throw .noLinkTable(table) }
        let columns = schema.links[table]
        let text = SQLLoading(schema, PostgreSQLDialect()).links(table, isFirstPage: last == nil, limit: limit)
        let bindings = last.map { [Value.integer($0.first), .integer($0.second)] } ?? []
        let rows = try active().query(text, PostgreSQLParameters(bindings))
        func position(_ row: Int, _ column: Int) -> Int64? {
            rows.isNull(row, column) ? nil : rows.integer(row, column)
        }
        let second = columns.firstPosition == nil ? 2 : 3
        return (0..<rows.rowCount).map { row in
            ChangeSet.Link(
                table: table, first: rows.integer(row, 0), second: rows.integer(row, 1),
                firstPosition: columns.firstPosition.flatMap { _ in position(row, 2) },
                secondPosition: columns.secondPosition.flatMap { _ in position(row, second) })
        }
    }
}
