import CofferSQL
import CofferStorage
import CofferStorageTools

/// Reads pages of link tables, and the members and last places of to-many relationships.
extension SQLiteReader {
    func links(
        _ table: Int, after last: ChangeSet.Link?, limit: Int
    ) throws(StorageError) -> [ChangeSet.Link] {
        let schema = tables.schema
        guard schema.links.indices.contains(table) else { throw .noLinkTable(table) }
        let columns = schema.links[table]
        let text = SQLBulkStatements(schema, SQLiteDialect()).links(table, isFirstPage: last == nil, limit: limit)
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

extension SQLiteReader {
    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers] {
        let isOrdered = tables.layout.relationships[relationship].isOrdered
        var result: [RelatedMembers] = []
        try forEachChunk(Array(Set(owners)).sorted()) {
            tables.queries.members(relationship, count: $0)
        } _: {
            (statement) throws(StorageError) in
            while try statement.step() {
                let owner = statement.integer(0)
                if result.last?.owner != owner { result.append(RelatedMembers(owner: owner, members: [])) }
                let place = isOrdered ? statement.optionalInteger(2) : nil
                result[result.count - 1].members.append(.init(key: statement.integer(1), place: place))
            }
        }
        return result
    }

    func lastPlaces(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [Int64: Int64] {
        guard tables.layout.relationships[relationship].isOrdered else { return [:] }
        var result: [Int64: Int64] = [:]
        try forEachChunk(owners) {
            tables.queries.lastPlaces(relationship, count: $0)
        } _: {
            (statement) throws(StorageError) in
            while try statement.step() { result[statement.integer(0)] = statement.optionalInteger(1) }
        }
        return result
    }
}
