public import CofferSchema
import CofferStorage
import CofferStorageTools

/// Comparisons inside a closure: `.where { $0.$age >= 18 }`.
extension FieldContainer.Stored {
    /// The field of an object equals a value: `.where { $0.$age == 18 }`.
    ///
    /// Strings are compared by their bytes: `"a"` differs from `"A"`. Use `equals(_:options:)` to ignore case.
    public static func == (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.equal, value)
    }

    /// The field of an object differs from a value: `.where { $0.$age != 18 }`.
    ///
    /// Objects whose field is null also fulfil the condition.
    public static func != (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.notEqual, value)
    }

    /// Matches objects whose field equals a value that may be missing; without it, those whose field has none.
    @_disfavoredOverload
    public static func == (_ attribute: Self, _ value: V?) -> Where<O> {
        attribute.comparing(.equal, value)
    }

    /// Matches objects whose field does not equal a value that may be missing; without it, those whose field has one.
    @_disfavoredOverload
    public static func != (_ attribute: Self, _ value: V?) -> Where<O> {
        attribute.comparing(.notEqual, value)
    }

    /// The field of an object is less than a value: `.where { $0.$age < 18 }`.
    ///
    /// Null is not less than any value. If the value is nil, no object fulfils the condition.
    public static func < (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.less, value)
    }

    /// The field of an object is greater than a value: `.where { $0.$age > 18 }`.
    ///
    /// Null is not greater than any value. If the value is nil, no object fulfils the condition.
    public static func > (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.greater, value)
    }

    /// The field of an object is less than a value or equals it: `.where { $0.$age <= 18 }`.
    ///
    /// If the field or the value is null, the condition is not fulfilled.
    public static func <= (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.lessOrEqual, value)
    }

    /// The field of an object is greater than a value or equals it: `.where { $0.$age >= 18 }`.
    ///
    /// If the field or the value is null, the condition is not fulfilled.
    public static func >= (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.greaterOrEqual, value)
    }

    /// The field of an object equals one of some values: `.where { [1, 2, 3] ~= $0.$age }`.
    ///
    /// A field that is null is in no list. With an empty list, no object fulfils the condition.
    public static func ~= <S: Sequence>(_ sequence: S, _ attribute: Self) -> Where<O> where S.Iterator.Element == V {
        attribute.isMember(of: sequence, \._storedValue)
    }

    private func comparing(_ relation: QueryComparison.Relation, _ value: V?) -> Where<O> {
        Where(.comparing(cs_keyPathString, relation, value?._storedValue ?? .null))
    }
}
