import CofferEvaluation
import CofferStorage

/// Keeps the texts of statements; if two requests differ only by their values, the second request needs no new text.
///
/// The cache serves requests whose condition compares attributes with values: one comparison, or several with `AND`.
/// The string of such a statement does not depend on the values.
final class SQLTextCache: Sendable {
    /// The columns that a statement selects from the rows.
    enum Selection: Int {
        case row
        case key
    }

    /// The string of each request shape, with the entity names that are bound before the values of the request.
    private let statements = Locked<[[Int]: (text: String, constants: [Value])]>([:])
    private static let limit = 512
    private static let shapeLimit = 64

    /// Returns the statement of a request, with a string from the cache or from a closure.
    func statement(
        _ request: RowRequest, _ selection: Selection, _ plan: SQLRangePlan, isOrdered: Bool,
        _ write: () -> SQLStatementBuilder
    ) throws(SQLUnsupportedExpression) -> SQLStatement {
        var shape = SQLShape()
        shape.append(request.entity, selection.rawValue, plan == .index ? 2 : plan == .table ? 1 : 0)
        shape.append(request.includesSubentities ? 1 : 0, isOrdered ? 1 : 0, request.limit == nil ? 0 : 1)
        guard request.offset <= 0, shape.append(request.order), shape.append(request.predicate),
            shape.numbers.count <= Self.shapeLimit
        else { return try write().statement() }
        var values = shape.values
        if let limit = request.limit { values.append(.integer(Int64(max(0, limit)))) }
        if let known = statements.withLock({ $0[shape.numbers] }) {
            return SQLStatement(known.text, bindings: known.constants.isEmpty ? values : known.constants + values)
        }
        let builder = write()
        let statement = try builder.statement()
        // Only if all values differ is it certain that each binding is the value of its comparison. A value that
        // shares its placeholder is not bound again.
        let constants = Array(statement.bindings.dropLast(values.count))
        guard !builder.hasSharedPlaces, !statement.computes, statement.bindings == constants + values,
            Set(statement.bindings).count == statement.bindings.count
        else { return statement }
        statements.withLock {
            if $0.count >= Self.limit { $0 = [:] }
            $0[shape.numbers] = (statement.text, constants)
        }
        return statement
    }
}

/// The parts of a request that determine the string of its statement, as numbers, and the values of its comparisons.
private struct SQLShape {
    private(set) var numbers: [Int] = []
    private(set) var values: [Value] = []

    init() { numbers.reserveCapacity(16) }

    mutating func append(_ first: Int, _ second: Int, _ third: Int) {
        numbers.append(first)
        numbers.append(second)
        numbers.append(third)
    }

    /// Appends an order.
    ///
    /// - Returns: false if it has other expressions than columns.
    mutating func append(_ order: [RowSort]) -> Bool {
        numbers.append(order.count)
        return order.allSatisfy { sort in
            numbers.append(sort.ascending ? 1 : 0)
            return append(sort.expression) != nil
        }
    }

    /// Appends a condition.
    ///
    /// - Returns: false if it has other parts than comparisons, or if a value determines the string.
    mutating func append(_ predicate: RowPredicate) -> Bool {
        switch predicate {
        case .constant(true): return true
        case .compare(let expression, let comparison, .value(let value)):
            numbers.append(comparison.number)
            guard let kind = append(expression), value.isKept(as: kind) else { return false }
            values.append(value)
            return true
        case .and(let parts):
            numbers.append(6 + parts.count)
            return parts.allSatisfy { append($0) }
        default: return false
        }
    }

    /// Appends a column, also at the end of a path.
    ///
    /// - Returns: the kind of its values; nil for another expression.
    private mutating func append(_ expression: RowExpression) -> ColumnKind? {
        switch expression {
        case .key:
            numbers.append(-1)
            return .reference
        case .column(let slot, let kind):
            numbers.append(slot)
            return kind
        case .through(let relationship, let inner):
            numbers.append(-2 - relationship)
            return append(inner)
        default: return nil
        }
    }
}

extension RowPredicate.Comparison {
    fileprivate var number: Int {
        switch self {
        case .equal: 0
        case .notEqual: 1
        case .less: 2
        case .lessOrEqual: 3
        case .greater: 4
        case .greaterOrEqual: 5
        }
    }
}

extension Value {
    /// Whether a column of a kind stores the value without a conversion.
    fileprivate func isKept(as kind: ColumnKind) -> Bool {
        switch self {
        case .integer: kind == .integer || kind == .reference
        case .object: false
        default: self.kind == kind
        }
    }
}
