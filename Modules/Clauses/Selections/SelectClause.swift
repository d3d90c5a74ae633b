public import CofferSchema

/// The protocol of selections: the terms of a query, and the type of its results.
///
/// ``Select`` is the only conforming type.
public protocol SelectClause {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The type of the results.
    associatedtype ReturnType: SelectResultType
    /// The terms, one for each value of a result.
    var selectTerms: [SelectTerm<ObjectType>] { get }
}
