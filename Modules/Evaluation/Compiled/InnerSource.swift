package import CofferStorage

/// The rows as a condition on related objects sees them: with the row that they are related to.
struct InnerSource: RowSource {
    let source: any RowSource
    /// The row around the condition.
    let outer: Row

    init(_ source: any RowSource, outer: Row) {
        self.source = source
        self.outer = outer
    }

    var layout: ModelLayout { source.layout }
    func forEachRow(root: Int, _ body: (Row) -> Bool) { source.forEachRow(root: root, body) }
    func row(root: Int, key: Int64) -> Row? { source.row(root: root, key: key) }
    func related(_ relationship: Int, of owner: Int64) -> [Row] { source.related(relationship, of: owner) }
}

extension RowPredicate {
    /// Whether the condition, one on related objects, names a value of the object around them.
    var refersOutside: Bool {
        var found = false
        walk({ _ in }, { if case .outer = $0 { found = true } })
        return found
    }
}

extension RowExpression {
    /// Whether the expression names a value of an object around; which one does not matter.
    package var refersOutside: Bool {
        var found = false
        walk({ _ in }, { if case .outer = $0 { found = true } })
        return found
    }
}
