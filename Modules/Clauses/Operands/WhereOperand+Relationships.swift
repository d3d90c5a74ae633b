public import CofferSchema
import CofferStorage
public import CofferStorageTools

// These operators compare two relationships of the same object: `\.$parent == \.$guardian`,
// `$0.$owner != ($0.$home ~ \.$owner)`. Two relationships without a related object are equal.

/// Compares two relationships of the same object: `\.$parent == \.$guardian`.
extension FieldContainer.Relationship: WhereOperand where V: FieldRelationshipToOneType {
    /// The class of the related objects.
    public typealias OperandValue = V.DestinationObjectType
    /// The name of the relationship.
    public var _expression: QueryExpression { .keyPath(cs_keyPathString) }
    /// A to-one relationship has one value.
    public var _quantifier: QueryComparison.Quantifier { .one }
}

/// Matches objects whose two operands are the same related object, or are both nil.
public func == <L: WhereOperand, R: WhereOperand>(_ left: L, _ right: R) -> Where<L.ObjectType>
where L.ObjectType == R.ObjectType, L.OperandValue: CoreStoreObject, R.OperandValue: CoreStoreObject {
    left.comparing(.equal, right)
}

/// Matches objects whose two operands are not the same related object.
public func != <L: WhereOperand, R: WhereOperand>(_ left: L, _ right: R) -> Where<L.ObjectType>
where L.ObjectType == R.ObjectType, L.OperandValue: CoreStoreObject, R.OperandValue: CoreStoreObject {
    left.comparing(.notEqual, right)
}

// These operators compare key paths whose class the compiler infers from the context.

/// Matches objects whose two operands are the same related object, or are both nil.
public func == <O: CoreStoreObject, A, B, L: FieldRelationshipToOneType, R: FieldRelationshipToOneType>(
    _ left: KeyPath<O, FieldContainer<A>.Relationship<L>>, _ right: KeyPath<O, FieldContainer<B>.Relationship<R>>
) -> Where<O> {
    left.comparing(.equal, right)
}

/// Matches objects whose two operands are not the same related object.
public func != <O: CoreStoreObject, A, B, L: FieldRelationshipToOneType, R: FieldRelationshipToOneType>(
    _ left: KeyPath<O, FieldContainer<A>.Relationship<L>>, _ right: KeyPath<O, FieldContainer<B>.Relationship<R>>
) -> Where<O> {
    left.comparing(.notEqual, right)
}
