public import CofferSchema
import CofferStorage

/// A condition on objects of a known class.
///
/// ``Where`` is the only kind there is.
public protocol WhereClauseType: AnyWhereClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
}
