import CofferSchema
import CofferStorage
import CofferStorageTools

extension Where {
    /// Both conditions.
    public static func && (left: Where<O>, right: Where<O>) -> Where<O> {
        Where(QueryPredicate.and, left, right)
    }

    /// At least one of two conditions.
    public static func || (left: Where<O>, right: Where<O>) -> Where<O> {
        Where(QueryPredicate.or, left, right)
    }

    /// The opposite of a condition.
    public static prefix func ! (clause: Where<O>) -> Where<O> {
        if case .invalid = clause.predicate { return clause }
        return Where(.not(clause.predicate), depth: clause.depth + 1)
    }

    /// Both conditions, or the left one when there is no right one.
    public static func &&? (left: Where<O>, right: Where<O>?) -> Where<O> {
        right.map { left && $0 } ?? left
    }

    /// Both conditions, or the right one when there is no left one.
    public static func &&? (left: Where<O>?, right: Where<O>) -> Where<O> {
        left.map { $0 && right } ?? right
    }

    /// At least one of two conditions, or the left one when there is no right one.
    public static func ||? (left: Where<O>, right: Where<O>?) -> Where<O> {
        right.map { left || $0 } ?? left
    }

    /// At least one of two conditions, or the right one when there is no left one.
    public static func ||? (left: Where<O>?, right: Where<O>) -> Where<O> {
        left.map { $0 || right } ?? right
    }
}

extension Sequence where Iterator.Element: WhereClauseType {
    /// All of the conditions; without any, matches every object.
    public func combinedByAnd() -> Where<Iterator.Element.ObjectType> {
        Where(.and(map(\.predicate)))
    }

    /// At least one of the conditions; without any, matches no object.
    public func combinedByOr() -> Where<Iterator.Element.ObjectType> {
        Where(.or(map(\.predicate)))
    }
}

extension Where {
    /// How high a chain of the same operator grows before it becomes one level.
    private static var highestChain: Int { QueryPredicate.maximumDepth / 2 }

    /// Both conditions or one of them, as `combination` says, whose classes are this one or a superclass of it.
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
