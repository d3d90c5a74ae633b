public import CofferSchema
public import CofferStorage

/// A property that a condition can compare with a value: `\.$age == 18`, `\.$master == ann`.
///
/// Stored fields and to-one relationships are all there are.
public protocol ComparableProperty: KeyPathStringConvertible {
    /// The type of the values that the property is compared with.
    associatedtype ComparedValue

    /// The value as a request has it.
    static func _compared(_ value: ComparedValue) -> Value
}

/// A property with values that a condition in a closure can order: `$0.$age >= 18`.
///
/// Stored fields are all there are.
public protocol ComparableAttribute: ComparableProperty {
    /// The type of the values that the property is compared with; that of an optional field may be nil.
    associatedtype OrderedValue

    /// The value as a request has it.
    static func _ordered(_ value: OrderedValue) -> Value
}

/// A property whose values have an order in Swift: `\.$age >= 18`.
public protocol OrderedProperty: ComparableAttribute {}

extension FieldContainer.Stored: ComparableAttribute {
    /// The value as a request has it.
    public static func _compared(_ value: V) -> Value { value._storedValue }
    /// The value as a request has it.
    public static func _ordered(_ value: V) -> Value { value._storedValue }
}

extension FieldContainer.Stored: OrderedProperty where V._Compared: Comparable {}

extension FieldContainer.Relationship: ComparableProperty where V: FieldRelationshipToOneType {
    /// The value as a request has it.
    public static func _compared(_ value: V.DestinationObjectType) -> Value { .related(value) }
}
