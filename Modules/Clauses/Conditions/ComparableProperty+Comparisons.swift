public import CofferSchema
import CofferStorage
import CofferStorageTools

/// Compares fields with values inside a closure: `.where { $0.$age == 18 }`, `.where { $0.$master == ann }`.
extension ComparableProperty {
    /// The property of an object equals a value: `.where { $0.$age == 18 }`.
    ///
    /// Strings are compared by their bytes: `"a"` differs from `"A"`. Use `equals(_:options:)` to ignore case. Objects
    /// are compared by their ids.
    public static func == (_ property: Self, _ value: ComparedValue) -> Where<ObjectType> {
        Where(.comparing(property.cs_keyPathString, .equal, _compared(value)))
    }

    /// The property of an object differs from a value: `.where { $0.$age != 18 }`.
    ///
    /// Objects whose property is null also fulfil the condition.
    public static func != (_ property: Self, _ value: ComparedValue) -> Where<ObjectType> {
        Where(.comparing(property.cs_keyPathString, .notEqual, _compared(value)))
    }

    // Disfavoured: in `== .none`, `.none` is a case of the value's type if the type has such a case.

    /// The property of an object equals a value that may be missing; with nil, the property is null.
    @_disfavoredOverload
    public static func == (_ property: Self, _ value: ComparedValue?) -> Where<ObjectType> {
        Where(.comparing(property.cs_keyPathString, .equal, value.map(_compared) ?? .null))
    }

    /// The property of an object differs from a value that may be missing; with nil, the property is not null.
    @_disfavoredOverload
    public static func != (_ property: Self, _ value: ComparedValue?) -> Where<ObjectType> {
        Where(.comparing(property.cs_keyPathString, .notEqual, value.map(_compared) ?? .null))
    }

    /// The property of an object equals one of some values: `.where { [1, 2, 3] ~= $0.$age }`.
    ///
    /// A property that is null is in no list. With an empty list, no object fulfils the condition.
    public static func ~= <S: Sequence>(_ sequence: S, _ property: Self) -> Where<ObjectType>
    where S.Element == ComparedValue {
        Where(.membership(property.cs_keyPathString, sequence.map(_compared)))
    }
}

extension ComparableAttribute {
    /// The property of an object is less than a value: `.where { $0.$age < 18 }`.
    ///
    /// Null is not less than any value. If the value is nil, no object fulfils the condition.
    public static func < (_ property: Self, _ value: OrderedValue) -> Where<ObjectType> {
        Where(.comparing(property.cs_keyPathString, .less, _ordered(value)))
    }

    /// The property of an object is greater than a value: `.where { $0.$age > 18 }`.
    ///
    /// Null is not greater than any value. If the value is nil, no object fulfils the condition.
    public static func > (_ property: Self, _ value: OrderedValue) -> Where<ObjectType> {
        Where(.comparing(property.cs_keyPathString, .greater, _ordered(value)))
    }

    /// The property of an object is less than a value or equals it: `.where { $0.$age <= 18 }`.
    ///
    /// If the property or the value is null, the condition is not fulfilled.
    public static func <= (_ property: Self, _ value: OrderedValue) -> Where<ObjectType> {
        Where(.comparing(property.cs_keyPathString, .lessOrEqual, _ordered(value)))
    }

    /// The property of an object is greater than a value or equals it: `.where { $0.$age >= 18 }`.
    ///
    /// If the property or the value is null, the condition is not fulfilled.
    public static func >= (_ property: Self, _ value: OrderedValue) -> Where<ObjectType> {
        Where(.comparing(property.cs_keyPathString, .greaterOrEqual, _ordered(value)))
    }
}
