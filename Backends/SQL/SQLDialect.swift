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

    /// The text around and between two numeric expressions of different kinds so that they compare by exact value.
    func mixedComparison(
        _ left: ColumnKind, _ operation: String, _ right: ColumnKind
    ) -> (before: String, between: String, after: String)

    /// The text around an expression that an aggregate is computed of.
    func aggregate(_ aggregate: ValueRequest.Aggregate, of kind: ColumnKind) -> (before: String, after: String)

    /// As ``aggregate(_:of:)`` for one that is compared and not a result: a sum of integers beyond 64 bits is the
    /// nearest double, one of decimals with too many digits null.
    ///
    /// - Parameter isRelated: whether it is one of related objects, and not of a group.
    func comparedAggregate(
        _ aggregate: ValueRequest.Aggregate, of kind: ColumnKind, isRelated: Bool
    ) -> (before: String, after: String)

    /// The text around and between the arguments of a function that computes what `ValueFunction` says.
    func computation(
        _ function: ValueFunction, of kinds: [ColumnKind?]
    ) -> (before: String, between: String, after: String)

    /// The text around and between two texts, so that it is true where they relate as `TextRelation` says.
    func textTest(_ relation: TextRelation, _ options: TextOptions) -> (before: String, between: String, after: String)

    /// What follows an expression that is not a plain column so that its values order as their kind demands.
    func collation(of kind: ColumnKind) -> String

    /// How many values of a list are bound one by one; longer lists go through ``longList(_:kind:)``.
    var listLimit: Int { get }

    /// A list as one binding: the text before and after the place of the binding, or nil when that is not possible.
    func longList(_ values: [Value], kind: ColumnKind) -> (before: String, binding: Value, after: String)?
}
