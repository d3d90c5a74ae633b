import CofferSQL
import CofferStorage

extension SQLiteReader {
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
        var links: [ChangeSet.Link] = []
        while try statement.step() { links.append(columns.link(table, statement.optionalInteger)) }
        return links
    }
}
