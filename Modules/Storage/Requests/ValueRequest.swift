/// A request for values: columns, groups and distinct results; this file also has aggregates and their result kinds.
///
/// `querying/columns`, `querying/through-relationships`, `querying/subentities`
public struct ValueRequest: Hashable, Sendable {
    /// One column of the result.
    public enum Term: Hashable, Sendable {
        /// The value of an expression; in a grouped request, it must be one of ``ValueRequest/groups``.
        case expression(RowExpression)
        /// An aggregate over the rows of a group, or over all rows if there are no groups.
        case aggregate(Aggregate, RowExpression)
    }

    /// A function of many values.
    ///
    /// Aggregates ignore nulls.
    ///
    /// `querying/aggregates`, `querying/aggregates-of-nothing`, `querying/aggregates-of-text`
    public enum Aggregate: String, Hashable, Sendable, CaseIterable {
        /// The number of values; 0 if there are no values.
        case count
        /// The sum; 0 if there are no values.
        ///
        /// Sums of integers and decimals are exact. A sum of integers beyond 64 bits is an error
        /// (`querying/integer-sums-are-exact`, `querying/integer-overflow`, `querying/aggregates-of-decimals`).
        case sum
        /// The mean: a decimal for decimals, otherwise a double; null if there are no values.
        case average
        case minimum
        case maximum

        /// The kind of the result for values of a kind.
        package func kind(of kind: ColumnKind?) -> ColumnKind? {
            switch self {
            case .count: .integer
            case .sum: kind == .boolean ? .integer : kind
            case .average: kind == .decimal ? .decimal : .double
            case .minimum, .maximum: kind
            }
        }
    }

    /// The rows; the order, offset and limit apply to the *results* (`querying/limit-is-for-results`).
    ///
    /// The order of a grouped or distinct request contains only expressions that are groups or terms.
    public var rows: RowRequest
    /// The columns of the result.
    public var terms: [Term]
    /// The expressions that define the groups; rows with equal values form a group, and null equals null.
    ///
    /// If there are no expressions, and a term is an aggregate, all rows form one group. If no term is an aggregate
    /// either, the request is not grouped.
    ///
    /// `querying/groups`, `querying/groups-of-several`, `querying/groups-of-text`, `querying/groups-of-nothing`
    public var groups: [RowExpression]
    /// The condition on the groups (`querying/having`).
    public var having: Having?
    /// Whether the result contains equal results only once (`querying/distinct`).
    public var isDistinct: Bool

    /// A condition on the results of a grouped request (`querying/having-compares-numbers`).
    ///
    /// The logic of ``RowPredicate`` applies to this condition.
    ///
    /// In such a condition, a sum of integers beyond 64 bits is the nearest double, and a sum of decimals with more
    /// than 38 digits is null (`querying/having-overflow`, `querying/decimal-overflow`).
    public indirect enum Having: Hashable, Sendable {
        case compare(Term, RowPredicate.Comparison, Value)
        case and([Having])
        case or([Having])
        case not(Having)
    }

    /// Creates a request for values of some rows.
    public init(
        rows: RowRequest, terms: [Term], groups: [RowExpression] = [], having: Having? = nil, isDistinct: Bool = false
    ) {
        self.rows = rows
        self.terms = terms
        self.groups = groups
        self.having = having
        self.isDistinct = isDistinct
    }

    /// Whether the result has a row for each group instead of a row for each stored row.
    public var isGrouped: Bool {
        !groups.isEmpty || terms.contains { if case .aggregate = $0 { true } else { false } }
    }
}
