public import CofferSchema
import CofferStorage

/// A condition on objects of a known class. ``Where`` is the only kind there is.
public protocol WhereClauseType: AnyWhereClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
}

/// Conditions on a class and on its superclass combine to one on either:
/// `.where(\Animal.$species == "Dog" && \Dog.$age == 10)`.
///
/// Disfavoured, so that conditions on one class are combined by ``Where``'s own operators without a search.
extension WhereClauseType {
    /// Both conditions, on objects of the left one's class.
    @_disfavoredOverload
    public static func && <TWhere: WhereClauseType>(left: Self, right: TWhere) -> Where<Self.ObjectType> {
        Where(.and([left.predicate, right.predicate]))
    }

    /// Both conditions, on objects of the right one's class.
    @_disfavoredOverload
    public static func && <TWhere: WhereClauseType>(left: TWhere, right: Self) -> Where<Self.ObjectType> {
        Where(.and([left.predicate, right.predicate]))
    }

    /// At least one of two conditions, on objects of the left one's class.
    @_disfavoredOverload
    public static func || <TWhere: WhereClauseType>(left: Self, right: TWhere) -> Where<Self.ObjectType> {
        Where(.or([left.predicate, right.predicate]))
    }

    /// At least one of two conditions, on objects of the right one's class.
    @_disfavoredOverload
    public static func || <TWhere: WhereClauseType>(left: TWhere, right: Self) -> Where<Self.ObjectType> {
        Where(.or([left.predicate, right.predicate]))
    }
}
