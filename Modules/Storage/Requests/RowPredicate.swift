/// A condition on rows, with every name replaced by a slot or a relationship: what a store runs.
///
/// The logic is two-valued. A comparison with a null operand is false, except that `equal` holds between two nulls and
/// `notEqual` is always the opposite of `equal`; so `not` of a false comparison is true, also where SQL would say
/// "unknown" (`predicates/null-equality`, `predicates/null-is-unordered`, `predicates/not-is-two-valued`). Predicates
/// nest, and may have thousands of parts (`predicates/deep`, `predicates/very-deep`).
public indirect enum RowPredicate: Hashable, Sendable {
    /// True or false for every row (`predicates/constants`).
    case constant(Bool)
    /// Two values relate so, by `ValueOrdering` (`predicates/comparisons`, `predicates/columns`).
    case compare(RowExpression, Comparison, RowExpression)
    /// The expression's value is one of a list, of any length, that holds no null. A null is in no list
    /// (`predicates/in-list`, `predicates/long-list`).
    case isIn(RowExpression, [Value])
    /// Two texts relate so. False where one of them is null (`computing/texts`, `computing/text-options`,
    /// `computing/text-null`).
    case text(RowExpression, TextRelation, RowExpression, TextOptions)
    /// The row's entity is one of these (`predicates/entity`).
    case isEntity([Int])
    /// Some object at the end of a to-many relationship, starting at `from`, fulfils the condition.
    ///
    /// `relationships/some`, `relationships/some-is-one-object`, `relationships/some-from`, `relationships/some-nested`
    ///
    /// - Parameter relationship: the index in ``ModelLayout/relationships``.
    /// - Parameter from: the to-one relationships to follow first.
    case some(from: [Int], relationship: Int, RowPredicate)
    case and([RowPredicate])
    case or([RowPredicate])
    case not(RowPredicate)

    /// How two values must relate.
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }
}

/// A value computed from a row.
public indirect enum RowExpression: Hashable, Sendable {
    /// A constant. Objects are given by their key, as an ``Value/integer(_:)``.
    case value(Value)
    /// A slot of the row.
    case column(slot: Int, kind: ColumnKind)
    /// The row's primary key (`predicates/key`).
    case key
    /// The expression's value for the object at the end of a to-one relationship, an index in
    /// ``ModelLayout/relationships``; null when there is none (`relationships/through`,
    /// `relationships/through-same-twice`, `relationships/one-to-one`).
    case through(relationship: Int, RowExpression)
    /// The number of objects a to-many relationship leads to; 0 for none (`relationships/count`).
    case count(relationship: Int)
    /// A value computed from others (`computing/functions`, `computing/exactness`).
    case function(ValueFunction, [RowExpression])
    /// The first value where the condition holds, else the second. Both have one kind (`computing/conditional`).
    case conditional(RowPredicate, RowExpression, RowExpression)
    /// An aggregate of a value of the objects at the end of a to-many relationship that fulfil a condition; null where
    /// `from`, to-one relationships to follow first, leads nowhere. A sum of integers beyond 64 bits is the nearest
    /// double (`computing/aggregates`).
    case aggregate(ValueRequest.Aggregate, RowExpression, from: [Int], relationship: Int, where: RowPredicate)
    /// Inside the condition of a ``RowPredicate/some(from:relationship:_:)`` or the value and condition of an
    /// ``aggregate(_:_:from:relationship:where:)``: a value of the row that it is about (`computing/outer`,
    /// `computing/aggregates-of-outer`).
    case outer(RowExpression)
}

/// One key of an order of rows.
///
/// Null comes first in ascending and last in descending order (`fetching/null-sorts-first`).
public struct RowSort: Hashable, Sendable {
    /// The value to sort by.
    public var expression: RowExpression
    /// Whether lesser values come first.
    public var ascending: Bool

    /// An order by one value.
    public init(_ expression: RowExpression, ascending: Bool) {
        self.expression = expression
        self.ascending = ascending
    }
}
