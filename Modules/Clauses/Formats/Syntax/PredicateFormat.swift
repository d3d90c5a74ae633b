public import CofferStorage
public import CofferStorageTools

/// A condition as a format string says it.
///
/// ```swift
/// let condition = try PredicateFormat("name BEGINSWITH[c] %@ AND SUBQUERY(pets, $p, $p.age > %d).@count > 2", "an", 3)
/// print(condition)   // name BEGINSWITH[c] "an" AND SUBQUERY(pets, $p, $p.age > 3).@count > 2
/// ```
///
/// It is the whole language, also what no request can be made of; see ``Where/init(_:_:)`` for requests. Two conditions
/// are equal when they have the same structure, and a description parses back to an equal condition.
public indirect enum PredicateFormat: Hashable, CustomStringConvertible, Sendable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    /// Two values that must relate in some way.
    case comparison(Comparison)
    /// All of the parts, written without parentheses between them.
    case and([PredicateFormat])
    /// One of the parts, written without parentheses between them.
    case or([PredicateFormat])
    /// The opposite.
    case not(PredicateFormat)
}

extension PredicateFormat {
    /// Two values and how they must relate: `ANY pets.name LIKE[c] "r*"`.
    public struct Comparison: Hashable, Sendable {
        /// How two values must relate.
        public enum Operator: Hashable, Sendable {
            case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
            case isIn, contains, beginsWith, endsWith, like, matches
            /// The left side is not below the first and not above the second value on the right.
            case between
            /// `UTI-CONFORMS-TO`
            case conformsToType
            /// `UTI-EQUALS`
            case equalsType
            /// A method of the left side: `isKindOfClass:`.
            case selector(String)
        }

        /// Which of many values on the left must fulfil the condition; `SOME` is read as `ANY`.
        public var quantifier: QueryComparison.Quantifier
        /// What is compared.
        public var left: ExpressionFormat
        /// How the two must relate.
        public var `operator`: Operator
        /// How texts are compared.
        public var options: TextOptions
        /// What it is compared with.
        public var right: ExpressionFormat

        /// A comparison of two values.
        public init(
            _ left: ExpressionFormat, _ operator: Operator, _ right: ExpressionFormat, options: TextOptions = [],
            quantifier: QueryComparison.Quantifier = .one
        ) {
            self.quantifier = quantifier
            self.left = left
            self.operator = `operator`
            self.options = options
            self.right = right
        }
    }
}
