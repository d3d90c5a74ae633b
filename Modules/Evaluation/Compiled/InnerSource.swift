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
        switch self {
        case .constant, .isEntity: false
        case .compare(let left, _, let right), .text(let left, _, let right, _):
            left.refersOutside || right.refersOutside
        case .isIn(let expression, _): expression.refersOutside
        case .some(_, _, let condition): condition.refersOutside
        case .and(let parts), .or(let parts): parts.contains(where: \.refersOutside)
        case .not(let part): part.refersOutside
        }
    }
}

extension RowExpression {
    /// Whether the expression names a value of an object around; which one does not matter.
    package var refersOutside: Bool {
        switch self {
        case .value, .column, .key, .count: false
        case .outer: true
        case .through(_, let inner): inner.refersOutside
        case .function(_, let arguments): arguments.contains(where: \.refersOutside)
        case .conditional(let condition, let first, let second):
            condition.refersOutside || first.refersOutside || second.refersOutside
        case .aggregate(_, let value, _, _, let condition): value.refersOutside || condition.refersOutside
        }
    }
}
