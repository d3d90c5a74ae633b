package import CofferStorage

/// The source of rows for a condition on related objects; also has the row of the enclosing object.
struct InnerSource: RowSource {
    let source: any RowSource
    /// The outer row of the condition.
    let outer: Row

    var layout: ModelLayout { source.layout }
    func forEachRow(root: Int, _ body: (Row) -> Bool) { source.forEachRow(root: root, body) }
    func row(root: Int, key: Int64) -> Row? { source.row(root: root, key: key) }
    func related(_ relationship: Int, of owner: Int64) -> [Row] { source.related(relationship, of: owner) }
}

extension RequestTree {
    /// Whether the condition or the expression uses a value of any enclosing object.
    package var refersOutside: Bool {
        var found = false
        walk({ _ in }, { if case .outer = $0 { found = true } })
        return found
    }
}
