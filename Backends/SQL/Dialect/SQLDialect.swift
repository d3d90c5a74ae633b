public import CofferStorage

/// What differs between the SQL databases, as far as a statement's text goes.
public protocol SQLDialect: Sendable {
    /// An identifier, quoted so that any text is a valid name.
    func quoted(_ identifier: String) -> String

    /// The place of the binding with an index, counted from 0.
    func placeholder(_ index: Int) -> String

    /// The comparison of two expressions that is true for two nulls, and never null.
    var isSame: String { get }

    /// The opposite of ``isSame``.
    var isNotSame: String { get }

    /// What follows an order term so that null comes first ascending and last descending, with a leading space.
    func nullOrder(ascending: Bool) -> String

    /// The clause that skips and limits rows, with a leading space; the numbers are bound by `bind`.
    func limitClause(offset: Int, limit: Int?, bind: (Value) -> String) -> String

    /// Whether equal values are bound once, to a place that is named wherever the value is needed.
    var sharesPlaces: Bool { get }

    /// Whether groups whose results are returned once can be ordered by what is not among the results.
    var sortsDistinctGroups: Bool { get }

    /// How deeply queries may nest in each other; nil where the database says so itself when it is asked.
    var depthLimit: Int? { get }

    /// The comparison of two numbers of different kinds by their exact values; nil where there are no words for it.
    ///
    /// What is nil here and in the methods below makes the whole request one for the reference evaluator:
    /// ``SQLUnsupportedExpression``.
    func mixedComparison(_ left: SQLOperand, _ operation: String, _ right: SQLOperand) -> String?

    /// An aggregate of an expression.
    func aggregate(_ aggregate: ValueRequest.Aggregate, of operand: SQLOperand) -> String?

    /// As ``aggregate(_:of:)`` for one that is compared and not a result: a sum of integers beyond 64 bits is the
    /// nearest double, one of decimals with too many digits null.
    ///
    /// - Parameter isRelated: whether it is one of related objects, and not of a group.
    func comparedAggregate(
        _ aggregate: ValueRequest.Aggregate, of operand: SQLOperand, isRelated: Bool
    ) -> String?

    /// What `ValueFunction` says, of some arguments.
    func computation(_ function: ValueFunction, of operands: [SQLOperand]) -> String?

    /// True where two texts relate as `TextRelation` says.
    func textTest(_ left: String, _ relation: TextRelation, _ right: String, _ options: TextOptions) -> String?

    /// What follows an expression that is not a plain column so that its values order as their kind demands.
    func collation(of kind: ColumnKind) -> String

    /// The condition that a key is one of as many as said, bound from the first place on.
    func isOneOf(_ count: Int) -> String

    /// How many values of a list are bound one by one; longer lists go through ``longList(_:kind:)``.
    var listLimit: Int { get }

    /// A list as one binding: the text before and after the place of the binding, or nil when that is not possible.
    func longList(_ values: [Value], kind: ColumnKind) -> (before: String, binding: Value, after: String)?

    /// A list as a table to join: the text before and after the place of the binding, and the value of one of its rows.
    ///
    /// The default returns nil. Implement it if a join finds the rows faster than ``longList(_:kind:)``.
    func joinedList(
        _ values: [Value], kind: ColumnKind, alias: String
    ) -> (before: String, binding: Value, after: String, value: String)?
}

extension SQLDialect {
    /// No list can be joined.
    public func joinedList(
        _ values: [Value], kind: ColumnKind, alias: String
    ) -> (before: String, binding: Value, after: String, value: String)? { nil }
}
