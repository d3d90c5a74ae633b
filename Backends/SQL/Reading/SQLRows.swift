public import CofferEvaluation
public import CofferStorage

/// Reads the rows of a snapshot for the reference evaluator.
///
/// The evaluator uses these rows for requests that SQL cannot express: see ``SQLUnsupportedExpression``.
public final class SQLRows: RowSource {
    /// The model of the rows.
    public let layout: ModelLayout
    private let reader: any StorageReader
    /// The request for the rows that an answer may need; nil for all rows of a tree.
    private let candidates: RowRequest?
    private var failure: StorageError?
    private var found: [Row]?
    /// The rows of whole trees, by root entity.
    private var trees: [Int: [Row]] = [:]
    private var rows: [Int: [Int64: Row]] = [:]
    private var members: [Int: [Int64: [Row]]] = [:]

    private init(_ reader: any StorageReader, _ layout: ModelLayout, _ candidates: RowRequest?) {
        self.reader = reader
        self.layout = layout
        self.candidates = candidates
    }

    /// Returns the answer of the reference evaluator to a request.
    ///
    /// - Parameters:
    ///   - reader: reads the rows. The evaluator requests only the rows of an entity and related rows.
    ///   - candidates: a request for at least the rows that the answer needs, in the order of their keys; nil for the
    ///     rows of the whole tree.
    public static func evaluate<Result>(
        _ reader: any StorageReader, _ layout: ModelLayout, among candidates: RowRequest? = nil,
        _ answer: (ReferenceEvaluator, SQLRows) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let rows = SQLRows(reader, layout, candidates)
        let result = try answer(ReferenceEvaluator(layout: layout), rows)
        if let failure = rows.failure { throw failure }
        return result
    }

    /// Calls the closure with the rows of a tree, until the closure returns false.
    ///
    /// For the tree of the candidates, these rows are the candidates. For another tree, they are all rows.
    public func forEachRow(root: Int, _ body: (Row) -> Bool) {
        for row in candidates(root) ?? tree(root) where !body(row) { return }
    }

    /// Returns the row with a key.
    public func row(root: Int, key: Int64) -> Row? {
        if rows[root] == nil {
            rows[root] = Dictionary(tree(root).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        }
        return rows[root]?[key]
    }

    /// Returns the related rows of an owner; reads them for all known rows of the owner's tree at once.
    public func related(_ relationship: Int, of owner: Int64) -> [Row] {
        if let known = members[relationship]?[owner] { return known }
        let root = layout.entities[layout.relationships[relationship].owner].root
        var owners = members[relationship] == nil ? ((trees[root] ?? candidates(root)) ?? []).map(\.key) : []
        owners.append(owner)
        var known = members[relationship] ?? [:]
        for owner in owners { known[owner] = [] }
        let related = attempt { () throws(StorageError) in try reader.related(relationship, of: owners) }
        for related in related ?? [] { known[related.owner] = related.rows }
        members[relationship] = known
        return known[owner] ?? []
    }

    private func candidates(_ root: Int) -> [Row]? {
        guard let candidates, layout.entities[candidates.entity].root == root else { return nil }
        if let found { return found }
        let rows = attempt { () throws(StorageError) in try reader.rows(candidates) } ?? []
        found = rows
        return rows
    }

    private func tree(_ root: Int) -> [Row] {
        if let known = trees[root] { return known }
        let found = attempt { () throws(StorageError) in try reader.rows(RowRequest(entity: root)) } ?? []
        trees[root] = found
        return found
    }

    /// Runs a read, and notes its error if it is the first one; the evaluation throws this error after the answer.
    private func attempt<Result>(_ read: () throws(StorageError) -> Result) -> Result? {
        do throws(StorageError) { return try read() } catch {
            failure = failure ?? error
            return nil
        }
    }
}
