public import CofferSchema
import CofferStorage

/// The protocol of conditions on objects of a known class.
///
/// ``Where`` is the only conforming type.
public protocol WhereClauseType: AnyWhereClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
}
