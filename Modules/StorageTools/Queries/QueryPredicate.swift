public import CofferStorage

/// A condition on objects, by the names of the model: what typed clauses and format strings both become.
///
/// Two predicates are equal when they have the same structure, however they were built. Whether the names exist is
/// checked when a request is made, see ``RequestResolver``.
public indirect enum QueryPredicate: Hashable, CustomStringConvertible, Sendable {
    /// Matches every object, or none.
    case constant(Bool)
    /// Compares two expressions.
    case comparison(QueryComparison)
    /// Matches when all parts match; with no parts, always.
    case and([QueryPredicate])
    /// Matches when one part matches; with no parts, never.
    case or([QueryPredicate])
    /// Matches when the part does not.
    case not(QueryPredicate)
    /// A condition that could not be made; a request with it is refused for this reason.
    case invalid(String)
}

/// A comparison of two expressions.
public struct QueryComparison: Hashable, CustomStringConvertible, Sendable {
    /// How the two sides must relate.
    public enum Relation: String, Hashable, Sendable, CaseIterable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        /// The left side is one of the values on the right, a list or what a path through a to-many relationship leads
        /// to; of a text on the right, it is a part.
        case isIn
        /// The mirror image of ``isIn``.
        case contains
        /// The left side is neither less than the first nor greater than the second of two values on the right.
        case between
        /// Texts, see `TextRelation`.
        case beginsWith, endsWith, like, matches
    }

    /// What to do with a left side that leads through a to-many relationship, and so has many values.
    public enum Quantifier: String, Hashable, Sendable, CaseIterable {
        /// The left side has one value.
        case one
        /// At least one of the values must match. False for no values.
        case any
        /// Each of the values must match. True for no values.
        case all
        /// None of the values may match. True for no values.
        case none
    }

    /// What is compared.
    public var left: QueryExpression
    /// How the two sides must relate.
    public var relation: Relation
    /// What it is compared with.
    public var right: QueryExpression
    /// Which of many values on the left must fulfil the relation.
    public var quantifier: Quantifier
    /// How texts are compared.
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
    /// The object the predicate is tried on.
    case evaluatedObject
    /// A value computed from others.
    case function(ValueFunction, [QueryExpression])
    /// One of two values, depending on a condition.
    case conditional(QueryPredicate, QueryExpression, QueryExpression)
    /// A value computed from those objects at the end of a path of relationships, of which the last is to-many, that
    /// fulfil a condition. The inner value and the condition are about one such object.
    case aggregate(ValueRequest.Aggregate, QueryExpression, over: KeyPathString, where: QueryPredicate)
    /// Inside an ``aggregate(_:_:over:where:)``, a value of the object around it.
    case outer(QueryExpression)
    /// The instant at which the request is made, one for the whole of a condition.
    case now
}
