public import CofferStorage

/// A condition on objects, with the names of the model; clauses and format strings are converted to this type.
///
/// Two predicates are equal if they have the same structure. The names are checked when a request is made; see
/// ``RequestResolver``.
public indirect enum QueryPredicate: Hashable, CustomStringConvertible, Sendable {
    /// Matches every object, or none.
    case constant(Bool)
    /// Compares two expressions.
    case comparison(QueryComparison)
    /// Matches if all parts match; without parts, always.
    case and([QueryPredicate])
    /// Matches if at least one part matches; without parts, never.
    case or([QueryPredicate])
    /// Matches if the part does not match.
    case not(QueryPredicate)
    /// A condition that is not valid; a request with it is refused for this reason.
    case invalid(String)
}

/// A comparison of two expressions.
public struct QueryComparison: Hashable, CustomStringConvertible, Sendable {
    /// The relation of the two sides.
    public enum Relation: String, Hashable, Sendable, CaseIterable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        /// The left side is one of the values on the right.
        ///
        /// The right side is a list, or a path through a to-many relationship. If the right side is a string, the left
        /// side is a part of it.
        case isIn
        /// The right side is one of the values on the left; the reverse of ``isIn``.
        case contains
        /// The left side is not less than the first and not greater than the second of two values on the right.
        case between
        /// Relations of strings; see `TextRelation`.
        case beginsWith, endsWith, like, matches
    }

    /// The number of values that must match, if the path on the left side passes through a to-many relationship.
    public enum Quantifier: String, Hashable, Sendable, CaseIterable {
        /// The left side has one value.
        case one
        /// At least one of the values must match. Without values, the result is false.
        case any
        /// Each of the values must match. Without values, the result is true.
        case all
        /// None of the values may match. Without values, the result is true.
        case none
    }

    /// The left side.
    public var left: QueryExpression
    /// The relation of the two sides.
    public var relation: Relation
    /// The right side.
    public var right: QueryExpression
    /// The number of values on the left that must match.
    public var quantifier: Quantifier
    /// The options for the comparison of strings.
    public var options: TextOptions

    /// A comparison of two expressions.
    public init(
        _ left: QueryExpression, _ relation: Relation, _ right: QueryExpression, quantifier: Quantifier = .one,
        options: TextOptions = []
    ) {
        self.left = left
        self.relation = relation
        self.right = right
        self.quantifier = quantifier
        self.options = options
    }
}

/// A value in a predicate.
public indirect enum QueryExpression: Hashable, CustomStringConvertible, Sendable {
    /// A constant.
    case value(Value)
    /// Several constants, as the right side of ``QueryComparison/Relation/isIn``.
    case values([Value])
    /// Several values, some of which are computed.
    case list([QueryExpression])
    /// A property by its path of names through relationships: `name`, `master.name`, `pets.@count`, `pets.@sum.age`.
    case keyPath(KeyPathString)
    /// The object that the condition examines.
    case evaluatedObject
    /// A value computed from other values.
    case function(ValueFunction, [QueryExpression])
    /// One of two values, depending on a condition.
    case conditional(QueryPredicate, QueryExpression, QueryExpression)
    /// An aggregate of the objects at the end of a path of relationships that fulfil a condition.
    ///
    /// The last relationship of the path is to-many. The inner value and the condition refer to one of these objects.
    case aggregate(ValueRequest.Aggregate, QueryExpression, over: KeyPathString, where: QueryPredicate)
    /// Inside an ``aggregate(_:_:over:where:)``, a value of the enclosing object.
    case outer(QueryExpression)
    /// The time of the request, which is the same for the whole condition.
    case now
}
