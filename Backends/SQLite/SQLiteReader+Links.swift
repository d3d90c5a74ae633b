import CSQLite
import CofferSQL
import CofferStorage

extension SQLiteReader: LinkReader {
    func links(
        _ table: Int, after last: ChangeSet.Link?, limit: Int
    ) throws(StorageError) -> [ChangeSet.Link] {
        let schema = session.schema
        guard schema.links.indices.contains(table) else { throw .noLinkTable(table) }
        let columns = schema.links[table]
        let text = SQLLoading(schema, SQLiteDialect()).links(table, isFirstPage: last == nil, limit: limit)
        let statement = try active().statement(text)
        defer { statement.reset() }
        if let last {
            statement.bind(last.first, 1)
            statement.bind(last.second, 2)
        }
        let second: Int32 = columns.firstPosition == nil ? 2 : 3
        var links: [ChangeSet.Link] = []
        while try statement.step() {
            links.append(
                ChangeSet.Link(
                    table: table, first: statement.integer(0), second: statement.integer(1),
                    firstPosition: columns.firstPosition.flatMap { _ in statement.position(2) },
                    secondPosition: columns.secondPosition.flatMap { _ in statement.position(second) }))
        }
        return links
    }
}

extension SQLiteStatement {
    /// A column with a position; nil for null.
    fileprivate func position(_ column: Int32) -> Int64? { type(column) == SQLITE_NULL ? nil : integer(column) }
}
