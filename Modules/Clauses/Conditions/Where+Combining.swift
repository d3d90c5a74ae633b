import CofferSchema
import CofferStorage

extension Where {
    /// Both conditions.
    public static func && (left: Where<O>, right: Where<O>) -> Where<O> {
        Where(.and([left.predicate, right.predicate]))
    }

    /// At least one of two conditions.
    public static func || (left: Where<O>, right: Where<O>) -> Where<O> {
        Where(.or([left.predicate, right.predicate]))
    }

    /// The opposite of a condition.
    public static prefix func ! (clause: Where<O>) -> Where<O> {
        Where(.not(clause.predicate))
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
