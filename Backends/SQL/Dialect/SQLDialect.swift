public import CofferStorage

/// The protocol of the SQL syntax of a database; a method returns nil for SQL that the database does not support.
public protocol SQLDialect: Sendable {
    /// Returns an identifier in quotation marks, so that any string is a valid name.
    func quoted(_ identifier: String) -> String

    /// Returns the placeholder for the binding with an index; the first index is 0.
    func placeholder(_ index: Int) -> String

    /// The operator that compares two expressions, is true for two nulls, and never returns null.
    var isSame: String { get }

    /// The opposite of ``isSame``.
    var isNotSame: String { get }

    /// Returns the part after an order term that puts null first in ascending order and last in descending order.
    ///
    /// The string begins with a space.
    func nullOrder(ascending: Bool) -> String

    /// Returns the clause for an offset and a limit.
    ///
    /// The string begins with a space. The closure `bind` binds the two numbers.
    func limitClause(offset: Int, limit: Int?, bind: (Value) -> String) -> String

    /// Whether equal values are bound once, to a placeholder that a statement may repeat.
    var sharesPlaces: Bool { get }

    /// Whether the database can order distinct groups by a value that is not in the result.
    var sortsDistinctGroups: Bool { get }

    /// The maximum depth of nested queries; nil if the database itself reports a query that is too deep.
    var depthLimit: Int? { get }

    /// Whether the database may begin with the related rows of `EXISTS` and of joins in a required condition.
    ///
    /// The default is true. If the database reads the rows of the first table one by one, the value is false, and the
    /// statements begin with related rows that an index finds.
    var ordersJoins: Bool { get }

    /// The strings before and after a query that make a condition: a key is one of the results of the query.
    ///
    /// The database must run the query once, and must be able to use an index of the key. The default is `IN`.
    var isAmong: (before: String, after: String) { get }

    /// The marks that keep the database from using an index; nil if the database needs no help with ranges.
    ///
    /// The default is nil.
    var indexMarks: SQLIndexMarks? { get }

    /// Whether statements without an order leave it to the program to order the rows by key.
    ///
    /// This is faster if the rows of a table mostly have this order, and if the database would sort all of them
    /// nevertheless. The default is false.
    var leavesOrderOfKeys: Bool { get }

    /// Returns an exact comparison of two numbers of different kinds; nil if SQL cannot express it.
    ///
    /// If this method or one of the methods below returns nil, the reference evaluator evaluates the whole request:
    /// ``SQLUnsupportedExpression``.
    func mixedComparison(_ left: SQLOperand, _ operation: String, _ right: SQLOperand) -> String?

    /// Returns an aggregate of an expression.
    func aggregate(_ aggregate: ValueRequest.Aggregate, of operand: SQLOperand) -> String?

    /// Returns an aggregate for a comparison, instead of a result.
    ///
    /// The method differs from ``aggregate(_:of:)`` for large sums. A sum of integers beyond 64 bits is the nearest
    /// double, and a sum of decimals with too many digits is null.
    ///
    /// - Parameter isRelated: whether the values belong to related objects, and not to a group.
    func comparedAggregate(
        _ aggregate: ValueRequest.Aggregate, of operand: SQLOperand, isRelated: Bool
    ) -> String?

    /// Returns the result of a `ValueFunction` for its arguments.
    func computation(_ function: ValueFunction, of operands: [SQLOperand]) -> String?

    /// Returns a condition that is true if two strings have a `TextRelation`.
    func textTest(_ left: String, _ relation: TextRelation, _ right: String, _ options: TextOptions) -> String?

    /// Returns the part after a computed expression that sorts its values by the rules of their kind.
    func collation(of kind: ColumnKind) -> String

    /// Returns the condition that a key is one of several keys, which are bound from the first placeholder.
    func isOneOf(_ count: Int) -> String

    /// The maximum number of values of a list that are bound one by one; longer lists use ``longList(_:kind:)``.
    var listLimit: Int { get }

    /// Returns a list as one binding, with the strings before and after its placeholder; nil if this is not possible.
    func longList(_ values: [Value], kind: ColumnKind) -> (before: String, binding: Value, after: String)?

    /// Returns a list as a table for a join; nil if lists cannot be joined.
    ///
    /// The result has the strings before and after the placeholder of the binding, and the value of one row of the
    /// table.
    ///
    /// The default returns nil. Implement it if a join finds the rows faster than ``longList(_:kind:)``.
    func joinedList(
        _ values: [Value], kind: ColumnKind, alias: String
    ) -> (before: String, binding: Value, after: String, value: String)?
}

extension SQLDialect {
    /// True.
    public var ordersJoins: Bool { true }

    /// `IN`.
    public var isAmong: (before: String, after: String) { ("IN (", ")") }

    /// Nil.
    public var indexMarks: SQLIndexMarks? { nil }

    /// False.
    public var leavesOrderOfKeys: Bool { false }

    /// Returns nil.
    public func joinedList(
        _ values: [Value], kind: ColumnKind, alias: String
    ) -> (before: String, binding: Value, after: String, value: String)? { nil }
}
