public import CofferStorage
public import CofferStorageTools

/// A condition in the language of format strings: its syntax tree, and the comparison operators.
///
/// ```swift
/// let condition = try PredicateFormat("name BEGINSWITH[c] %@ AND SUBQUERY(pets, $p, $p.age > %d).@count > 2", "an", 3)
/// print(condition)   // name BEGINSWITH[c] "an" AND SUBQUERY(pets, $p, $p.age > 3).@count > 2
/// ```
///
/// A `PredicateFormat` can represent the whole language, including conditions that requests do not support; see
/// ``Where/init(_:_:)`` for requests. Two conditions are equal if they have the same structure. Parsing a description
/// returns an equal condition.
public indirect enum PredicateFormat: Hashable, CustomStringConvertible, Sendable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    /// A comparison of two values.
    case comparison(Comparison)
    /// All of the parts must be fulfilled; no parentheses are written between them.
    case and([PredicateFormat])
    /// At least one of the parts must be fulfilled; no parentheses are written between them.
    case or([PredicateFormat])
    /// The opposite of a condition.
    case not(PredicateFormat)
}

extension PredicateFormat {
    /// A comparison of two values: `ANY pets.name LIKE[c] "r*"`.
    public struct Comparison: Hashable, Sendable {
        /// The relation of the two values.
        public enum Operator: Hashable, Sendable {
            case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
            case isIn, contains, beginsWith, endsWith, like, matches
            /// The left side is not less than the first and not greater than the second of two values on the right.
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
        /// The left side.
        public var left: ExpressionFormat
        /// The relation of the two sides.
        public var `operator`: Operator
        /// The options for the comparison of strings.
        public var options: TextOptions
        /// The right side.
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
