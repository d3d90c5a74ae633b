/// Asks a store for values computed from rows: columns, aggregates, groups.
///
/// `querying/columns`, `querying/through-relationships`, `querying/subentities`
public struct ValueRequest: Hashable, Sendable {
    /// One column of the result.
    public enum Term: Hashable, Sendable {
        /// The value of an expression. In a grouped request it must be one of ``ValueRequest/groups``.
        case expression(RowExpression)
        /// An aggregate over the rows of the group, or over all rows when there are no groups.
        case aggregate(Aggregate, RowExpression)
    }

    /// A function of many values.
    ///
    /// Nulls do not take part.
    ///
    /// `querying/aggregates`, `querying/aggregates-of-nothing`, `querying/aggregates-of-text`
    public enum Aggregate: String, Hashable, Sendable, CaseIterable {
        /// How many values there are; 0 for none.
        case count
        /// The sum, exact for integers and decimals; 0 for no values. An integer sum beyond 64 bits is an error
        /// (`querying/integer-sums-are-exact`, `querying/integer-overflow`, `querying/aggregates-of-decimals`).
        case sum
        /// The mean as a double (a decimal for decimals); null for no values.
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

    /// Which rows; its order, offset and limit apply to the *result* (`querying/limit-is-for-results`).
    ///
    /// The order of a grouped or distinct request is by expressions that are groups or terms.
    public var rows: RowRequest
    /// The columns of the result.
    public var terms: [Term]
    /// Rows with equal values of these form a group, in which null equals null; empty for one group of all rows when
    /// there is an aggregate, and for no grouping otherwise.
    ///
    /// `querying/groups`, `querying/groups-of-several`, `querying/groups-of-text`, `querying/groups-of-nothing`
    public var groups: [RowExpression]
    /// Which groups to keep (`querying/having`).
    public var having: Having?
    /// Whether equal results are returned once (`querying/distinct`).
    public var isDistinct: Bool

    /// A condition on the results of a grouped request, with the logic of ``RowPredicate``
    /// (`querying/having-compares-numbers`).
    ///
    /// A sum of integers beyond 64 bits is the nearest double here, one of decimals
    /// with more digits than can be kept null
    /// (`querying/having-overflow`, `querying/decimal-overflow`).
    public indirect enum Having: Hashable, Sendable {
        case compare(Term, RowPredicate.Comparison, Value)
        case and([Having])
        case or([Having])
        case not(Having)
    }

    /// A request for values of some rows.
    public init(
        rows: RowRequest, terms: [Term], groups: [RowExpression] = [], having: Having? = nil, isDistinct: Bool = false
    ) {
        self.rows = rows
        self.terms = terms
        self.groups = groups
        self.having = having
        self.isDistinct = isDistinct
    }

    /// Whether the result has one row for each group rather than one for each row.
    public var isGrouped: Bool {
        !groups.isEmpty || terms.contains { if case .aggregate = $0 { true } else { false } }
    }
}
