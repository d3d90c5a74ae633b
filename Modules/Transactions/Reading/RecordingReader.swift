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

    /// Reads, and records the result as a condition of the commit.
    private func recording<Output>(
        _ condition: (Output) -> ChangeSet.Condition, _ body: () throws(StorageError) -> Output
    ) throws(StorageError) -> Output {
        let output = try readSet.reading(body)
        readSet.note(condition(output), store)
        return output
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        try recording({ .rows(request, $0.map(Version.init)) }) { () throws(StorageError) in try base.rows(request) }
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
        try recording({ .keys(request, $0) }) { () throws(StorageError) in try base.keys(request) }
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        try recording({ .count(request, $0) }) { () throws(StorageError) in try base.count(request) }
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        try recording({ .values(request, $0) }) { () throws(StorageError) in try base.values(request) }
    }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? {
        try recording({ .rowsByKey(root: root, keys: [key], $0.map { [Version($0)] } ?? []) }) {
            () throws(StorageError) in try base.row(root: root, key: key)
        }
    }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] {
        try recording({ .rowsByKey(root: root, keys: keys, $0.map(Version.init)) }) { () throws(StorageError) in
            try base.rows(root: root, keys: keys)
        }
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
