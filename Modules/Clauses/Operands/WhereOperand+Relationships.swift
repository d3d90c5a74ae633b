public import CofferSchema
public import CofferStorage
public import CofferStorageTools

// Comparisons of what two relationships of the same object lead to: `\.$parent == \.$guardian`,
// `$0.$owner != ($0.$home ~ \.$owner)`. Two that lead to no object are equal.

extension FieldContainer.Relationship: WhereOperand where V: FieldRelationshipToOneType {
    /// The class of the related objects.
    public typealias OperandValue = V.DestinationObjectType
    /// The relationship by its name.
    public var _expression: QueryExpression { .keyPath(cs_keyPathString) }
    /// It leads to one object.
    public var _quantifier: QueryComparison.Quantifier { .one }
}

/// Matches objects for which both lead to the same object, or both to none.
public func == <L: WhereOperand, R: WhereOperand>(_ left: L, _ right: R) -> Where<L.ObjectType>
where L.ObjectType == R.ObjectType, L.OperandValue: CoreStoreObject, R.OperandValue: CoreStoreObject {
    left.comparing(.equal, right)
}

/// Matches objects for which the two do not lead to the same object.
public func != <L: WhereOperand, R: WhereOperand>(_ left: L, _ right: R) -> Where<L.ObjectType>
where L.ObjectType == R.ObjectType, L.OperandValue: CoreStoreObject, R.OperandValue: CoreStoreObject {
    left.comparing(.notEqual, right)
}

// The same for key paths whose class is known from where they stand.

/// Matches objects for which both lead to the same object, or both to none.
public func == <O: CoreStoreObject, A, B, L: FieldRelationshipToOneType, R: FieldRelationshipToOneType>(
    _ left: KeyPath<O, FieldContainer<A>.Relationship<L>>, _ right: KeyPath<O, FieldContainer<B>.Relationship<R>>
) -> Where<O> {
    left.comparing(.equal, right)
}

/// Matches objects for which the two do not lead to the same object.
public func != <O: CoreStoreObject, A, B, L: FieldRelationshipToOneType, R: FieldRelationshipToOneType>(
    _ left: KeyPath<O, FieldContainer<A>.Relationship<L>>, _ right: KeyPath<O, FieldContainer<B>.Relationship<R>>
) -> Where<O> {
    left.comparing(.notEqual, right)
}

// Comparisons of what a relationship or a path leads to with other names of an object: `$0.$master == publisher`,
// `($0.$master ~ \.$spouse) == id`. Objects are compared by their ids, so the object may be of any context.

/// Matches objects that lead to a represented object; with nil, to none.
public func == <P: WhereOperand, R: ObjectRepresentation>(_ operand: P, _ object: R?) -> Where<P.ObjectType>
where R.ObjectType == P.OperandValue {
    operand.comparing(.equal, .value(.represented(object)))
}

/// Matches objects that do not lead to a represented object; with nil, those that lead to any.
public func != <P: WhereOperand, R: ObjectRepresentation>(_ operand: P, _ object: R?) -> Where<P.ObjectType>
where R.ObjectType == P.OperandValue {
    operand.comparing(.notEqual, .value(.represented(object)))
}

/// Matches objects that lead to one of some represented objects: `publishers ~= $0.$master`.
public func ~= <P: WhereOperand, S: Sequence>(_ sequence: S, _ operand: P) -> Where<P.ObjectType>
where S.Element: ObjectRepresentation, S.Element.ObjectType == P.OperandValue {
    operand.isMember(of: sequence) { .object($0.objectID()) }
}

/// Matches objects that lead to the object with an id.
public func == <P: WhereOperand>(_ operand: P, _ objectID: ObjectID) -> Where<P.ObjectType>
where P.OperandValue: CoreStoreObject {
    operand.comparing(.equal, .value(.object(objectID)))
}

/// Matches objects that do not lead to the object with an id.
public func != <P: WhereOperand>(_ operand: P, _ objectID: ObjectID) -> Where<P.ObjectType>
where P.OperandValue: CoreStoreObject {
    operand.comparing(.notEqual, .value(.object(objectID)))
}

/// Matches objects that lead to the object with one of some ids: `ids ~= $0.$master`.
public func ~= <P: WhereOperand, S: Sequence>(_ sequence: S, _ operand: P) -> Where<P.ObjectType>
where P.OperandValue: CoreStoreObject, S.Element == ObjectID {
    operand.isMember(of: sequence) { .object($0) }
}
