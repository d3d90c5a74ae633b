public import CofferSchema
public import CofferStorage

/// A property that a condition can compare with a value: `\.$age == 18`, `\.$master == ann`.
///
/// Only stored fields and to-one relationships conform.
public protocol ComparableProperty: KeyPathStringConvertible {
    /// The type of the values that the property is compared with.
    associatedtype ComparedValue

    /// Returns the value in the form that requests use.
    static func _compared(_ value: ComparedValue) -> Value
}

/// A property with values that a condition in a closure can order: `$0.$age >= 18`.
///
/// Only stored fields conform.
public protocol ComparableAttribute: ComparableProperty {
    /// The type of the values that the property is compared with; for an optional field, it is an optional type.
    associatedtype OrderedValue

    /// Returns the value in the form that requests use.
    static func _ordered(_ value: OrderedValue) -> Value
}

/// A property whose values have an order in Swift: `\.$age >= 18`.
public protocol OrderedProperty: ComparableAttribute {}

extension FieldContainer.Stored: ComparableAttribute {
    /// Returns the value in the form that requests use.
    public static func _compared(_ value: V) -> Value { value._storedValue }
    /// Returns the value in the form that requests use.
    public static func _ordered(_ value: V) -> Value { value._storedValue }
}

extension FieldContainer.Stored: OrderedProperty where V._Compared: Comparable {}

extension FieldContainer.Relationship: ComparableProperty where V: FieldRelationshipToOneType {
    /// Returns the value in the form that requests use.
    public static func _compared(_ value: V.DestinationObjectType) -> Value { .related(value) }
}
