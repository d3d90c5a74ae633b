import CofferEvaluation
package import CofferStorage

/// An empty source of rows, for requests that read only the rows that they receive.
package struct EmptySource: RowSource {
    package let layout: ModelLayout

    package init(layout: ModelLayout) {
        self.layout = layout
    }

    package func forEachRow(root: Int, _ body: (Row) -> Bool) {}
    package func row(root: Int, key: Int64) -> Row? { nil }
    package func related(_ relationship: Int, of owner: Int64) -> [Row] { [] }
}
