public import CofferSchema
import CofferStorage
public import CofferStorageTools

/// The operand of a condition: a field or an expression with methods such as `contains` and `between`.
///
/// ```swift
/// From<Person>().where { $0.$name.beginsWith("A") && $0.$age.between(18...65) }
/// From<Person>().where((\Person.$name).beginsWith("A"))
/// From<Dog>().where { ($0.$master ~ \.$name).beginsWith("A") }
/// ```
///
/// A field in a closure, a key path to a field, and an expression are operands. Other types do not conform.
public protocol WhereOperand<ObjectType> {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The type of the value.
    associatedtype OperandValue

    /// The operand as an expression of a request.
    var _expression: QueryExpression { get }
    /// The quantifier, which defines how many of several values must fulfil the condition.
    var _quantifier: QueryComparison.Quantifier { get }
}

extension WhereOperand {
    func comparing(
        _ relation: QueryComparison.Relation, _ right: QueryExpression, _ options: TextOptions = []
    ) -> Where<ObjectType> {
        let comparison = QueryComparison(_expression, relation, right, quantifier: _quantifier, options: options)
        return Where(.comparison(comparison))
    }
}

extension FieldContainer.Stored: WhereOperand {
    /// The type of the values.
    public typealias OperandValue = V
    /// The name of the field.
    public var _expression: QueryExpression { .keyPath(cs_keyPathString) }
    /// A field has one value.
    public var _quantifier: QueryComparison.Quantifier { .one }
}

extension Where.Expression: WhereOperand {
    /// The type of the value.
    public typealias OperandValue = V
    /// The path or the computation.
    public var _expression: QueryExpression { content }
    /// The quantifier, which defines how many of several values must fulfil the condition.
    public var _quantifier: QueryComparison.Quantifier { quantifier }
}

/// A key path as an operand: the field of each object, by its name; the field may belong to a superclass.
extension KeyPath: WhereOperand where Root: CoreStoreObject, Value: WhereOperand {
    /// The class at which the key path starts.
    public typealias ObjectType = Root
    /// The type of the field's values.
    public typealias OperandValue = Value.OperandValue

    /// The name of the field.
    public var _expression: QueryExpression { MetaObjects.meta(of: Root.self)[keyPath: self]._expression }
    /// A field has one value.
    public var _quantifier: QueryComparison.Quantifier { MetaObjects.meta(of: Root.self)[keyPath: self]._quantifier }
}
