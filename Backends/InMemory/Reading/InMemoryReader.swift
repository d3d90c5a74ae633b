import CofferStorage
import CofferStorageTools

/// Reads rows, counts, values and related rows from one snapshot of an ``InMemoryStore``.
final class InMemoryReader: LinkReader {
    private var finder: RowFinder?

    init(_ snapshot: Snapshot) { finder = RowFinder(snapshot) }

    func open() throws(StorageError) -> RowFinder {
        guard let finder else { throw .closed("The reader is finished. Create another reader.") }
        return finder
    }

    private func snapshot(having relationship: Int) throws(StorageError) -> Snapshot {
        let snapshot = try open().snapshot
        guard snapshot.layout.relationships.indices.contains(relationship) else {
            throw .invalidRequest("There is no relationship with index \(relationship).")
        }
        return snapshot
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] { try open().rows(request) }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] { try rows(request).map(\.key) }

    func count(_ request: RowRequest) throws(StorageError) -> Int { try open().count(request) }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] { try open().values(request) }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? {
        try open().snapshot.row(root: root, key: key)
    }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(keys.count)
        try forEachRow(root: root, keys: keys) { rows.append($0) }
        return rows
    }

    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        try snapshot(having: relationship).related(relationship, of: owners)
    }

    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers] {
        try snapshot(having: relationship).members(relationship, of: owners)
    }

    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        try open().forEachRow(request, body)
    }

    func forEachRow(root: Int, keys: [Int64], _ body: (consuming Row) -> Void) throws(StorageError) {
        guard let table = try open().snapshot.table(root) else { return }
        var lookup = RowLookup(table.rows)
        for key in keys {
            if let found = lookup.row(key) { body(found.row) }
        }
    }

    func forEachRelated(
        _ relationship: Int, of owners: [Int64], _ body: (_ owner: Int64, _ row: consuming Row) -> Void
    ) throws(StorageError) {
        try snapshot(having: relationship).forEachRelated(relationship, of: owners, body)
    }

    func links(
        _ table: Int, after last: ChangeSet.Link?, limit: Int
    ) throws(StorageError) -> [ChangeSet.Link] {
        let snapshot = try open().snapshot
        guard snapshot.links.indices.contains(table) else { throw .noLinkTable(table) }
        let layout = snapshot.layout.linkTables[table]
        let (forward, backward) = (snapshot.links[table].forward, snapshot.links[table].backward)
        var links: [ChangeSet.Link] = []
        guard limit > 0 else { return links }
        forward.forEachPair(after: last.map { ($0.first, $0.second) }) { first, second in
            // If both sides are the same relationship, the table contains each link in both directions.
            if layout.first == layout.second, first > second { return true }
            links.append(
                ChangeSet.Link(
                    table: table, first: first, second: second, firstPosition: forward.position(first, second),
                    secondPosition: backward.position(second, first)))
            return links.count < limit
        }
        return links
    }

    func finish() { finder = nil }
}

extension StorageError {
    static func closed(_ message: String) -> StorageError { StorageError(.closed, message) }
}
