import CofferStorage

/// The rows of a snapshot as the reference evaluator reads them.
///
/// It answers the requests whose conditions nest deeper than SQLite can parse. Nobody writes such, programs might.
final class SQLiteRows: RowSource {
    let layout: ModelLayout
    /// What went wrong first; whoever asks is told afterwards.
    private(set) var failure: StorageError?
    private let reader: SQLiteReader
    /// Whole trees, by their roots.
    private var trees: [Int: [Row]] = [:]
    private var rows: [Int: [Int64: Row]] = [:]
    private var members: [Int: [Int64: [Row]]] = [:]

    init(_ reader: SQLiteReader, _ layout: ModelLayout) {
        self.reader = reader
        self.layout = layout
    }

    func forEachRow(root: Int, _ body: (Row) -> Bool) {
        for row in tree(root) where !body(row) { return }
    }

    func row(root: Int, key: Int64) -> Row? {
        if rows[root] == nil {
            rows[root] = Dictionary(tree(root).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        }
        return rows[root]?[key]
    }

    func related(_ relationship: Int, of owner: Int64) -> [Row] {
        if let known = members[relationship]?[owner] { return known }
        let found = attempt { () throws(StorageError) in try reader.related(relationship, of: [owner]) }?.first?.rows
        members[relationship, default: [:]][owner] = found ?? []
        return found ?? []
    }

    private func tree(_ root: Int) -> [Row] {
        if let known = trees[root] { return known }
        let found = attempt { () throws(StorageError) in try reader.rows(RowRequest(entity: root)) } ?? []
        trees[root] = found
        return found
    }

    private func attempt<Result>(_ read: () throws(StorageError) -> Result) -> Result? {
        do throws(StorageError) { return try read() } catch {
            failure = failure ?? error
            return nil
        }
    }
}
