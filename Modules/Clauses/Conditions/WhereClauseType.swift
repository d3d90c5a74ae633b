public import CofferSchema

/// The protocol of conditions on objects of a known class.
///
/// ``Where`` is the only conforming type.
public protocol WhereClauseType: AnyWhereClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
}
