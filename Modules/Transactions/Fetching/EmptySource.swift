import CofferEvaluation
package import CofferStorage

/// A source for requests that only look at the rows they are given.
package struct EmptySource: RowSource {
    package let layout: ModelLayout

    package init(layout: ModelLayout) {
        self.layout = layout
    }

    package func forEachRow(root: Int, _ body: (Row) -> Bool) {}
    package func row(root: Int, key: Int64) -> Row? { nil }
    package func related(_ relationship: Int, of owner: Int64) -> [Row] { [] }
}
