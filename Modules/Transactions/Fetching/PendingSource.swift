import CofferEvaluation
import CofferSchema
import CofferStorage

/// Combines stored rows and pending changes for evaluation in memory: reads 16 rows one by one, and then many at once.
///
/// A fetch uses this source only if the store and the pending rows cannot answer a request separately, because the
/// request crosses a relationship to an object with pending changes.
final class PendingSource: RowSource {
    let layout: ModelLayout
    private let state: ContextState
    private let store: OpenStore
    private let reader: any StorageReader
    /// The first error; the caller throws it once the evaluation is over.
    private(set) var failure: StorageError?
    private var stored: [Int: [Row]] = [:]
    /// The stored rows that were read by key; nil for a row that does not exist.
    private var singles: [Int: [Int64: Row?]] = [:]
    /// The entities of which all rows are in ``singles``.
    private var indexedRoots: Set<Int> = []
    /// The entities of which the rows of all known objects were read.
    private var knownRoots: Set<Int> = []
    /// How many rows of an entity are read one by one before many are read at once.
    private static let singleLimit = 16

    init(_ state: ContextState, _ store: OpenStore, _ reader: any StorageReader) {
        self.state = state
        self.store = store
        self.reader = reader
        layout = state.layout
    }

    func forEachRow(root: Int, _ body: (Row) -> Bool) {
        var pending: [Int64: Row] = [:]
        for object in state.pending.inserted where object.id.storage == store.keySpaces[root] && !object.isDeleted {
            pending[object.id.key] = object.row
        }
        var rows = storedRows(root).filter { pending[$0.key] == nil }.compactMap { row in current(row) }
        rows += pending.values
        rows.sort { $0.key < $1.key }
        for row in rows { guard body(row) else { return } }
    }

    func row(root: Int, key: Int64) -> Row? {
        let known = state.identities.table(store.keySpaces[root])?.object(key)
        if let known, known.isDeleted { return nil }
        // Rows that an unsafe transaction read before may have changed since.
        let mayBeStale = state.isEditable && !state.keepsSnapshot
        if let known, !mayBeStale || !known.state.isDisjoint(with: [.isInserted, .isUpdated]) { return known.row }
        return storedRow(root, key, isKnown: known != nil)
    }

    /// Reads the rows that some rows reference by the relationships, directly or indirectly, many rows at once.
    func read(_ relationships: Set<Int>, of rows: [Row], root: Int) {
        var levels = [(root: root, rows: rows)]
        // The rest of a path with more than four relationships is read step by step.
        for _ in 0..<4 {
            var next: [Int: Set<Int64>] = [:]
            for level in levels {
                for case let relationship in relationships.map({ layout.relationships[$0] })
                where layout.entities[relationship.owner].root == level.root {
                    guard case .reference(let slot, _) = relationship.storage else { continue }
                    let target = layout.entities[relationship.destination].root
                    for row in level.rows where layout.entity(row.entity, isKindOf: relationship.owner) {
                        guard row.holds(slot), singles[target]?[row.integer(slot)] == nil else { continue }
                        next[target, default: []].insert(row.integer(slot))
                    }
                }
            }
            levels = next.map { target, keys in (target, self.rows(root: target, keys: keys)) }
            if levels.isEmpty { return }
        }
    }

    /// Returns the rows with some keys, and reads them at once.
    func rows(root: Int, keys: Set<Int64>) -> [Row] {
        let wanted = keys.sorted()
        readSingles(wanted, root)
        return wanted.compactMap { row(root: root, key: $0) }
    }

    private func readSingles(_ keys: [Int64], _ root: Int) {
        let found = attempt([]) { () throws(StorageError) in try reader.rows(root: root, keys: keys) }
        var rows = singles[root] ?? [:]
        for key in keys { rows[key] = .some(nil) }
        for row in found { rows[row.key] = .some(row) }
        singles[root] = rows
    }

    /// Reads the first 16 rows one by one, then the rows of all known objects at once, then all rows of the entity.
    private func storedRow(_ root: Int, _ key: Int64, isKnown: Bool) -> Row? {
        if let row = singles[root]?[key] { return row }
        if let all = stored[root] { return row(key, of: all, root) }
        if singles[root, default: [:]].count < Self.singleLimit {
            let row = attempt(nil) { () throws(StorageError) in try reader.row(root: root, key: key) }
            singles[root, default: [:]][key] = .some(row)
            return row
        }
        if isKnown, knownRoots.insert(root).inserted {
            readKnownRows(root)
            return singles[root]?[key] ?? nil
        }
        return row(key, of: storedRows(root), root)
    }

    private func row(_ key: Int64, of all: [Row], _ root: Int) -> Row? {
        if indexedRoots.insert(root).inserted {
            var rows = singles[root] ?? [:]
            rows.reserveCapacity(all.count)
            for row in all { rows[row.key] = .some(row) }
            singles[root] = rows
        }
        return singles[root]?[key] ?? nil
    }

    private func readKnownRows(_ root: Int) {
        var keys: [Int64] = []
        state.identities.table(store.keySpaces[root])?.forEach { object in
            if object.state.isDisjoint(with: [.isInserted, .isUpdated, .isDeleted]) { keys.append(object.id.key) }
        }
        singles[root, default: [:]].reserveCapacity(keys.count)
        readSingles(keys.sorted(), root)
    }

    func related(_ relationship: Int, of owner: Int64) -> [Row] {
        let layout = layout.relationships[relationship]
        return attempt([]) { () throws(StorageError) in
            guard let object = try state.finder.object(store.id(owner, of: layout.owner)) else { return [] }
            let root = self.layout.entities[layout.destination].root
            return try state.loader.toMany(layout, of: object).compactMap { row(root: root, key: $0.id.key) }
        }
    }

    private func storedRows(_ root: Int) -> [Row] {
        if let known = stored[root] { return known }
        let rows = attempt([]) { () throws(StorageError) in try reader.rows(RowRequest(entity: root)) }
        stored[root] = rows
        return rows
    }

    /// Returns the row as the transaction sees it; nil if its object was deleted.
    private func current(_ row: Row) -> Row? {
        guard let object = state.identities.object(of: row, in: store) else { return row }
        if object.isDeleted { return nil }
        // The stored row may be newer than the row of the object, but a changed object keeps its own row.
        return object.state.isDisjoint(with: .isUpdated) ? row : object.row
    }

    private func attempt<Output>(_ fallback: Output, _ body: () throws(StorageError) -> Output) -> Output {
        do throws(StorageError) {
            return try body()
        } catch {
            failure = failure ?? error
            return fallback
        }
    }
}
