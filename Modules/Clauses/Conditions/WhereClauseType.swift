public import CofferSchema
import CofferStorage

/// A condition on objects of a known class.
///
/// ``Where`` is the only conforming type.
public protocol WhereClauseType: AnyWhereClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
}
