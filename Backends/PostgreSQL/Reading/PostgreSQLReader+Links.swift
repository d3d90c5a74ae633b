import CofferSQL
import CofferStorage
import CofferStorageTools

/// Reads pages of link tables, and the members and last places of to-many relationships.
extension PostgreSQLReader {
    func links(
        _ table: Int, after last: ChangeSet.Link?, limit: Int
    ) throws(StorageError) -> [ChangeSet.Link] {
        let schema = tables.schema
        guard schema.links.indices.contains(table) else { throw .noLinkTable(table) }
        let columns = schema.links[table]
        let text = SQLBulkStatements(schema, PostgreSQLDialect()).links(table, isFirstPage: last == nil, limit: limit)
        let bindings = last.map { [Value.integer($0.first), .integer($0.second)] } ?? []
        let parameters = PostgreSQLParameters(bindings)
        let rows = try ask { connection throws(StorageError) in try connection.query(text, parameters) }
        return (0..<rows.rowCount).map { row in columns.link(table) { rows.word(row, $0) } }
    }
}

extension PostgreSQLReader {
    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers] {
        let isOrdered = tables.layout.relationships[relationship].isOrdered
        var result: [RelatedMembers] = []
        let text = tables.queries.members(relationship, count: 1)
        try forEachChunk(Array(Set(owners)).sorted(), text) { rows, _ in
            for row in 0..<rows.rowCount {
                let owner = rows.integer(row, 0)
                if result.last?.owner != owner { result.append(RelatedMembers(owner: owner, members: [])) }
                let place = isOrdered ? rows.word(row, 2) : nil
                result[result.count - 1].members.append(.init(key: rows.integer(row, 1), place: place))
            }
        }
        return result
    }

    func lastPlaces(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [Int64: Int64] {
        guard tables.layout.relationships[relationship].isOrdered else { return [:] }
        var result: [Int64: Int64] = [:]
        try forEachChunk(owners, tables.queries.lastPlaces(relationship, count: 1)) { rows, _ in
            for row in 0..<rows.rowCount { result[rows.integer(row, 0)] = rows.word(row, 1) }
        }
        return result
    }
}
