public import CofferSchema
import CofferStorage

/// What a query of objects of a known class returns.
///
/// ``Select`` is the only kind there is.
public protocol SelectClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The type of the results.
    associatedtype ReturnType: SelectResultType
    /// The columns.
    var selectTerms: [SelectTerm<ObjectType>] { get }
}
