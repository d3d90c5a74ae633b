import CofferEvaluation
import CofferStorage

/// Evaluates every request on a snapshot with the reference evaluator.
final class JSONFileReader: StorageReader {
    private let snapshot: Snapshot
    private let evaluator: ReferenceEvaluator

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        evaluator = ReferenceEvaluator(layout: snapshot.layout)
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        try snapshot.layout.check(request)
        return evaluator.rows(request, in: snapshot)
    }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] { try rows(request).map(\.key) }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        try snapshot.layout.check(request)
        return evaluator.count(request, in: snapshot)
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        try evaluator.values(request, in: snapshot)
    }

    func row(root: Int, key: Int64) -> Row? { snapshot.row(root: root, key: key) }

    func rows(root: Int, keys: [Int64]) -> [Row] { keys.compactMap { snapshot.row(root: root, key: $0) } }

    func related(_ relationship: Int, of owners: [Int64]) -> [RelatedRows] {
        let found = snapshot.related(relationship, of: Set(owners))
        return owners.compactMap { owner in found[owner].map { RelatedRows(owner: owner, rows: $0) } }
    }

    func members(_ relationship: Int, of owners: [Int64]) -> [RelatedMembers] {
        let found = snapshot.members(relationship, of: Set(owners))
        return owners.compactMap { owner in
            found[owner].map { members in
                RelatedMembers(owner: owner, members: members.map { .init(key: $0.row.key, place: $0.place) })
            }
        }
    }

    func finish() {}
}
