import CofferEvaluation
package import CofferStorage

/// A source without rows, for conditions and orders that are evaluated only on given rows.
package struct EmptySource: RowSource {
    package let layout: ModelLayout

    package init(layout: ModelLayout) { self.layout = layout }

    package func forEachRow(root: Int, _ body: (Row) -> Bool) {}
    package func row(root: Int, key: Int64) -> Row? { nil }
    package func related(_ relationship: Int, of owner: Int64) -> [Row] { [] }
}
