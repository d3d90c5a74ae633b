public import CofferSchema
import CofferStorage
import CofferStorageTools

/// Comparisons inside a closure: `.where { $0.$age >= 18 }`.
extension FieldContainer.Stored {
    /// Matches objects whose field equals a value.
    public static func == (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.equal, value)
    }

    /// Matches objects whose field does not equal a value; for a value, that includes objects where the field has none.
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

    /// Matches objects whose field is less than a value; with nil, none.
    public static func < (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.less, value)
    }

    /// Matches objects whose field is greater than a value; with nil, none.
    public static func > (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.greater, value)
    }

    /// Matches objects whose field is less than a value or equals it; with nil, none.
    public static func <= (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.lessOrEqual, value)
    }

    /// Matches objects whose field is greater than a value or equals it; with nil, none.
    public static func >= (_ attribute: Self, _ value: V) -> Where<O> {
        attribute.comparing(.greaterOrEqual, value)
    }

    /// Matches objects whose field is one of some values: `[1, 2, 3] ~= $0.$age`.
    public static func ~= <S: Sequence>(_ sequence: S, _ attribute: Self) -> Where<O> where S.Iterator.Element == V {
        attribute.isMember(of: sequence, \._storedValue)
    }

    private func comparing(_ relation: QueryComparison.Relation, _ value: V?) -> Where<O> {
        Where(.comparing(cs_keyPathString, relation, value?._storedValue ?? .null))
    }
}
