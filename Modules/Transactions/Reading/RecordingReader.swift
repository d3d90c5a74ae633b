import CofferStorage

/// Records the rows and results that a serializable transaction reads from another reader.
final class RecordingReader: CancellableReader {
    private typealias Version = ChangeSet.RowVersion

    private let base: any StorageReader
    private let readSet: ReadSet
    private let store: ObjectIdentifier

    init(_ base: any StorageReader, _ store: OpenStore, _ readSet: ReadSet) {
        self.base = base
        self.readSet = readSet
        self.store = ObjectIdentifier(store)
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        let rows = try readSet.reading { () throws(StorageError) in try base.rows(request) }
        readSet.note(.rows(request, rows.map(Version.init)), store)
        return rows
    }

    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        var versions: [Version] = []
        try readSet.reading { () throws(StorageError) in
            try base.forEachRow(request) { row in
                versions.append(Version(row))
                body(row)
            }
        }
        readSet.note(.rows(request, versions), store)
    }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] {
        let keys = try readSet.reading { () throws(StorageError) in try base.keys(request) }
        readSet.note(.keys(request, keys), store)
        return keys
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        let count = try readSet.reading { () throws(StorageError) in try base.count(request) }
        readSet.note(.count(request, count), store)
        return count
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        let values = try readSet.reading { () throws(StorageError) in try base.values(request) }
        readSet.note(.values(request, values), store)
        return values
    }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? {
        let row = try readSet.reading { () throws(StorageError) in try base.row(root: root, key: key) }
        readSet.note(.rowsByKey(root: root, keys: [key], row.map { [Version($0)] } ?? []), store)
        return row
    }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] {
        let rows = try readSet.reading { () throws(StorageError) in try base.rows(root: root, keys: keys) }
        readSet.note(.rowsByKey(root: root, keys: keys, rows.map(Version.init)), store)
        return rows
    }

    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        let found = try readSet.reading { () throws(StorageError) in try base.related(relationship, of: owners) }
        var versions: [Int64: [Version]] = [:]
        for related in found where !related.rows.isEmpty { versions[related.owner] = related.rows.map(Version.init) }
        readSet.note(.related(relationship: relationship, owners: owners, versions), store)
        return found
    }

    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers] {
        let found = try readSet.reading { () throws(StorageError) in try base.members(relationship, of: owners) }
        var keys: [Int64: [Int64]] = [:]
        for related in found { keys[related.owner] = related.members.map(\.key) }
        for owner in owners {
            readSet.note(.members(relationship: relationship, owner: owner, keys[owner] ?? []), store)
        }
        return found
    }

    func makeCanceller() throws(StorageError) -> @Sendable () -> Void {
        guard let base = base as? any CancellableReader else { return {} }
        return try base.makeCanceller()
    }

    func finish() { base.finish() }
}
