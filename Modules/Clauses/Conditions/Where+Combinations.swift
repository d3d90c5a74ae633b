import CofferStorageTools

/// Combines conditions with the operators `&&`, `||`, `!`, `&&?` and `||?`.
extension Where {
    /// Both conditions must be fulfilled: `{ $0.$age >= 18 && $0.$city == "Bern" }`.
    public static func && (left: Where<O>, right: Where<O>) -> Where<O> {
        Where(QueryPredicate.and, left, right)
    }

    /// At least one of two conditions must be fulfilled: `{ $0.$age < 18 || $0.$age >= 65 }`.
    public static func || (left: Where<O>, right: Where<O>) -> Where<O> {
        Where(QueryPredicate.or, left, right)
    }

    /// The condition must not be fulfilled: `{ !$0.$name.beginsWith("A") }`.
    ///
    /// Objects whose field is null fulfil the opposite of a comparison with a value.
    public static prefix func ! (clause: Where<O>) -> Where<O> {
        if case .invalid = clause.predicate { return clause }
        return Where(.not(clause.predicate), depth: clause.depth + 1)
    }

    /// Both conditions must be fulfilled; without a right condition, only the left one counts.
    ///
    /// ```swift
    /// let byCity: Where<Person>? = nil
    /// let people = try stack.fetchAll(From<Person>().where(Where(\.$age >= 18) &&? byCity))
    /// ```
    public static func &&? (left: Where<O>, right: Where<O>?) -> Where<O> { right.map { left && $0 } ?? left }

    /// Both conditions must be fulfilled; without a left condition, only the right one counts.
    public static func &&? (left: Where<O>?, right: Where<O>) -> Where<O> {
        left.map { $0 && right } ?? right
    }

    /// At least one of two conditions must be fulfilled; without a right condition, only the left one counts.
    ///
    /// The operator has the precedence of `&&`. Use parentheses beside `&&` and `||`.
    public static func ||? (left: Where<O>, right: Where<O>?) -> Where<O> { right.map { left || $0 } ?? left }

    /// At least one of two conditions must be fulfilled; without a left condition, only the right one counts.
    public static func ||? (left: Where<O>?, right: Where<O>) -> Where<O> {
        left.map { $0 || right } ?? right
    }
}

extension Sequence where Iterator.Element: WhereClauseType {
    /// Combines the conditions with "and"; without any condition, every object matches.
    public func combinedByAnd() -> Where<Iterator.Element.ObjectType> { Where(.and(map(\.predicate))) }

    /// Combines the conditions with "or"; without any condition, no object matches.
    public func combinedByOr() -> Where<Iterator.Element.ObjectType> { Where(.or(map(\.predicate))) }
}

extension Where {
    /// The number of levels that a chain of the same operator may have before it is flattened into one level.
    private static var highestChain: Int { QueryPredicate.maximumDepth / 2 }

    /// Combines two conditions, each on this class or on a superclass, by `combination`.
    init<L, R>(_ combination: ([QueryPredicate]) -> QueryPredicate, _ left: Where<L>, _ right: Where<R>) {
        for side in [left.predicate, right.predicate] {
            guard case .invalid = side else { continue }
            self.init(side, depth: 1)
            return
        }
        let predicate = combination([left.predicate, right.predicate])
        let depth = 1 + max(left.depth, right.depth)
        if depth <= Self.highestChain {
            self.init(predicate, depth: depth)
        } else {
            self.init(combination(predicate.flatParts))
        }
    }
}
