public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Distinguishes expressions with one value from expressions with many values, for the types of conditions.
///
/// The types are ``Where/SingleTarget``, ``Where/CollectionTarget`` and ``Where/ComputedTarget``.
public protocol WhereExpressionTrait {}

extension Where {
    /// A path through relationships, or a value that the store computes for each object.
    ///
    /// ```swift
    /// From<Dog>().where { ($0.$master ~ \.$name) == "Ann" }
    /// From<Person>().where { ($0.$pets ~ \.$age).any() > 10 }
    /// From<Person>().where { ($0.$spouse ~ \.$pets).count() == 2 }
    /// ```
    ///
    /// Orders and selections accept expressions as well: `.orderBy(.descending { $0.$pets.count() })`. If a to-one
    /// relationship in the path is nil, the value is null: it equals nil, and is neither less nor greater than any
    /// value.
    public struct Expression<T: WhereExpressionTrait, V>: CustomStringConvertible, KeyPathStringConvertible, Sendable {
        /// The number of values: one, many, or one computed value.
        public typealias Trait = T
        /// The class of the objects that the path starts from.
        public typealias ObjectType = O
        /// The type of the values at the end of the path.
        public typealias DestinationValueType = V

        /// The path or the computation.
        let content: QueryExpression
        /// Which of many values must fulfil the condition.
        let quantifier: QueryComparison.Quantifier
        /// The number of names up to the last to-many relationship; 0 if there is none.
        let toMany: Int

        init(_ path: KeyPathString, quantifier: QueryComparison.Quantifier = .one, toMany: Int = 0) {
            self.init(.keyPath(path), quantifier: quantifier, toMany: toMany)
        }

        init(_ content: QueryExpression, quantifier: QueryComparison.Quantifier, toMany: Int = 0) {
            self.content = content.depth() > QueryPredicate.maximumDepth ? Self.refused : content
            self.quantifier = quantifier
            self.toMany = toMany
        }

        /// An expression that every request refuses, because it has too many levels.
        private static var refused: QueryExpression { .conditional(.invalid(QueryPredicate.tooDeep), .now, .now) }

        /// The names of the path, without the quantifier.
        var path: KeyPathString { content.description }

        /// The expression in the notation of format strings: `master.name`, `ANY pets.age`, `pets.@count`.
        public var cs_keyPathString: String {
            quantifier == .one ? path : "\(quantifier.rawValue.uppercased()) \(path)"
        }

        /// The expression in the notation of format strings; see ``cs_keyPathString``.
        public var description: String { cs_keyPathString }
    }

    /// Marks an expression of one value.
    public enum SingleTarget: WhereExpressionTrait {}

    /// Marks an expression of many values, or the number of these values.
    public enum CollectionTarget: WhereExpressionTrait {}

    /// Marks an expression of one computed value.
    public enum ComputedTarget: WhereExpressionTrait {}

    /// An expression of one computed value, which is null if an operand is null.
    public typealias Computed<V> = Expression<ComputedTarget, V?>
}

extension KeyPathString {
    /// The names of the path of an expression: `String(keyPath: \Dog.$master ~ \.$name)` is `"master.name"`.
    public init<O: DynamicObject, T, V>(keyPath: Where<O>.Expression<T, V>) {
        self = keyPath.cs_keyPathString
    }
}
