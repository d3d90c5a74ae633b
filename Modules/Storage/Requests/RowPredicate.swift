/// A condition on rows that a store evaluates; it contains slots and relationships instead of names.
///
/// A condition is either true or false. A comparison with a null operand is false, with two exceptions: `equal` is true
/// for two nulls, and `notEqual` is always the opposite of `equal`. `not` of a false comparison is therefore true, even
/// where SQL has "unknown" (`predicates/null-equality`, `predicates/null-is-unordered`,
/// `predicates/not-is-two-valued`). Predicates can be nested, and may have thousands of parts (`predicates/deep`,
/// `predicates/very-deep`).
public indirect enum RowPredicate: Hashable, Sendable {
    /// True or false for every row (`predicates/constants`).
    case constant(Bool)
    /// Compares two values by the rules of `ValueOrdering` (`predicates/comparisons`, `predicates/columns`).
    case compare(RowExpression, Comparison, RowExpression)
    /// Whether a value is in a list of any length without nulls (`predicates/in-list`, `predicates/long-list`).
    ///
    /// Null is in no list.
    case isIn(RowExpression, [Value])
    /// Compares two strings (`computing/texts`, `computing/text-options`, `computing/text-null`).
    ///
    /// If one of the strings is null, the condition is false.
    case text(RowExpression, TextRelation, RowExpression, TextOptions)
    /// Whether the entity of the row is one of these (`predicates/entity`).
    case isEntity([Int])
    /// Whether at least one object of a to-many relationship, which begins at `from`, fulfils the condition.
    ///
    /// `relationships/some`, `relationships/some-is-one-object`, `relationships/some-from`, `relationships/some-nested`
    ///
    /// - Parameter relationship: the index in ``ModelLayout/relationships``.
    /// - Parameter from: the to-one relationships that come before it in the path.
    case some(from: [Int], relationship: Int, RowPredicate)
    case and([RowPredicate])
    case or([RowPredicate])
    case not(RowPredicate)

    /// The comparison of two values.
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }
}

/// A value computed from a row.
public indirect enum RowExpression: Hashable, Sendable {
    /// A constant.
    ///
    /// An object is represented by its key, as an ``Value/integer(_:)``.
    case value(Value)
    /// A slot of the row.
    case column(slot: Int, kind: ColumnKind)
    /// The row's primary key (`predicates/key`).
    case key
    /// The value of an expression for the related object of a to-one relationship; null if there is no such object.
    ///
    /// The relationship is an index in ``ModelLayout/relationships`` (`relationships/through`,
    /// `relationships/through-same-twice`, `relationships/one-to-one`).
    case through(relationship: Int, RowExpression)
    /// The number of related objects of a to-many relationship, which may be 0 (`relationships/count`).
    case count(relationship: Int)
    /// The result of a function (`computing/functions`, `computing/exactness`).
    case function(ValueFunction, [RowExpression])
    /// The first value if the condition is true, otherwise the second; both have one kind (`computing/conditional`).
    case conditional(RowPredicate, RowExpression, RowExpression)
    /// An aggregate over the objects of a to-many relationship that fulfil a condition.
    ///
    /// The path begins with the to-one relationships `from`. If one of them is nil, the result is null. A sum of
    /// integers beyond 64 bits is the nearest double (`computing/aggregates`).
    case aggregate(ValueRequest.Aggregate, RowExpression, from: [Int], relationship: Int, where: RowPredicate)
    /// A value of the outer row (`computing/outer`, `computing/aggregates-of-outer`).
    ///
    /// This expression is for the condition of a ``RowPredicate/some(from:relationship:_:)``, and for the value and the
    /// condition of an ``aggregate(_:_:from:relationship:where:)``.
    case outer(RowExpression)
}
