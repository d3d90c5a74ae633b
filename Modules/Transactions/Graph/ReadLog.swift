import CofferSchema
import CofferStorage

/// What a serializable transaction has read, as conditions for its commit.
final class ReadLog {
    private var conditions: [ObjectIdentifier: [ChangeSet.Condition]] = [:]
    /// Why something could not be read: what came of that nobody can vouch for.
    private(set) var failure: StorageError?

    /// What was read from a store.
    func conditions(_ store: OpenStore) -> [ChangeSet.Condition] { conditions[ObjectIdentifier(store)] ?? [] }

    /// Forgets everything: it was saved.
    func removeAll() { conditions = [:] }

    fileprivate func note(_ condition: ChangeSet.Condition, _ store: ObjectIdentifier) {
        conditions[store, default: []].append(condition)
    }

    fileprivate func reading<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        do {
            return try body()
        } catch {
            // A request that is wrong has no answer to rely on.
            if error.code != .invalidRequest { failure = failure ?? error }
            throw error
        }
    }
}

/// Passes everything on to another reader, and notes the answers.
final class RecordingReader: CancellableReader {
    private typealias Version = ChangeSet.RowVersion

    private let base: any StorageReader
    private let log: ReadLog
    private let store: ObjectIdentifier

    init(_ base: any StorageReader, _ store: OpenStore, _ log: ReadLog) {
        self.base = base
        self.log = log
        self.store = ObjectIdentifier(store)
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        let rows = try log.reading { () throws(StorageError) in try base.rows(request) }
        log.note(.rows(request, rows.map(Version.init)), store)
        return rows
    }

    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        var versions: [Version] = []
        try log.reading { () throws(StorageError) in
            try base.forEachRow(request) { row in
                versions.append(Version(row))
                body(row)
            }
        }
        log.note(.rows(request, versions), store)
    }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] {
        let keys = try log.reading { () throws(StorageError) in try base.keys(request) }
        log.note(.keys(request, keys), store)
        return keys
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        let count = try log.reading { () throws(StorageError) in try base.count(request) }
        log.note(.count(request, count), store)
        return count
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        let values = try log.reading { () throws(StorageError) in try base.values(request) }
        log.note(.values(request, values), store)
        return values
    }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? {
        let row = try log.reading { () throws(StorageError) in try base.row(root: root, key: key) }
        log.note(.rowsByKey(root: root, keys: [key], row.map { [Version($0)] } ?? []), store)
        return row
    }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] {
        let rows = try log.reading { () throws(StorageError) in try base.rows(root: root, keys: keys) }
        log.note(.rowsByKey(root: root, keys: keys, rows.map(Version.init)), store)
        return rows
    }

    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        let found = try log.reading { () throws(StorageError) in try base.related(relationship, of: owners) }
        var versions: [Int64: [Version]] = [:]
        for related in found where !related.rows.isEmpty { versions[related.owner] = related.rows.map(Version.init) }
        log.note(.related(relationship: relationship, owners: owners, versions), store)
        return found
    }

    func makeCanceller() throws(StorageError) -> @Sendable () -> Void {
        guard let base = base as? any CancellableReader else { return {} }
        return try base.makeCanceller()
    }

    func finish() { base.finish() }
}

extension ObjectGraph {
    /// Makes a part of a transaction depend on what its options say that must not have changed.
    func addConditions(to changes: inout StoreChanges) {
        guard readLog != nil || throwsOnConflict else { return }
        for object in changes.updated { if let base = object.base { changes.expect(base) } }
        for object in changes.deleted { changes.expect(object.base ?? object.row, mayBeGone: true) }
        if let readLog { changes.set.conditions += readLog.conditions(changes.store) }
    }

    /// A reader of a store, whose answers are noted where they must be.
    func makeReader(_ store: OpenStore) throws(StorageError) -> any StorageReader {
        guard let readLog else { return try backing.makeReader(store) }
        return RecordingReader(try backing.makeReader(store), store, readLog)
    }
}

extension StoreChanges {
    fileprivate mutating func expect(_ row: Row, mayBeGone: Bool = false) {
        set.conditions.append(.unchanged(row, mayBeGone: mayBeGone))
    }
}
