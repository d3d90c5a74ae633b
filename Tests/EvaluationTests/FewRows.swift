import CofferEvaluation
import CofferStorage

/// A few rows of one entity, without relationships.
struct FewRows: RowSource {
    let layout: ModelLayout
    let rows: [Row]

    func forEachRow(root: Int, _ body: (Row) -> Bool) {
        for row in rows where !body(row) { return }
    }

    func row(root: Int, key: Int64) -> Row? { rows.first { $0.key == key } }

    func related(_ relationship: Int, of owner: Int64) -> [Row] { [] }
}
