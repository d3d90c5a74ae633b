public import CofferSchema
import CofferStorage
import CofferStorageTools

// Comparisons inside a closure, of properties that were declared before `Field` was there: `.where { $0.age >= 18 }`.

extension ValueContainer.Required {
    /// Matches objects whose property equals a value.
    public static func == (_ attribute: ValueContainer<O>.Required<V>, _ value: V) -> Where<O> {
        comparing(attribute.cs_keyPathString, .equal, value)
    }

    /// Matches objects whose property does not equal a value.
    public static func != (_ attribute: ValueContainer<O>.Required<V>, _ value: V) -> Where<O> {
        comparing(attribute.cs_keyPathString, .notEqual, value)
    }

    /// Matches objects whose property is less than a value.
    public static func < (_ attribute: ValueContainer<O>.Required<V>, _ value: V) -> Where<O> {
        comparing(attribute.cs_keyPathString, .less, value)
    }

    /// Matches objects whose property is greater than a value.
    public static func > (_ attribute: ValueContainer<O>.Required<V>, _ value: V) -> Where<O> {
        comparing(attribute.cs_keyPathString, .greater, value)
    }

    /// Matches objects whose property is less than a value or equals it.
    public static func <= (_ attribute: ValueContainer<O>.Required<V>, _ value: V) -> Where<O> {
        comparing(attribute.cs_keyPathString, .lessOrEqual, value)
    }

    /// Matches objects whose property is greater than a value or equals it.
    public static func >= (_ attribute: ValueContainer<O>.Required<V>, _ value: V) -> Where<O> {
        comparing(attribute.cs_keyPathString, .greaterOrEqual, value)
    }

    /// Matches objects whose property is one of some values.
    public static func ~= <S: Sequence>(
        _ sequence: S, _ attribute: ValueContainer<O>.Required<V>
    ) -> Where<O> where S.Iterator.Element == V {
        Where(attribute.cs_keyPathString, isMemberOf: sequence)
    }
}

extension ValueContainer.Optional {
    /// Matches objects whose property equals a value.
    public static func == (_ attribute: ValueContainer<O>.Optional<V>, _ value: V?) -> Where<O> {
        comparing(attribute.cs_keyPathString, .equal, value)
    }

    /// Matches objects whose property does not equal a value.
    public static func != (_ attribute: ValueContainer<O>.Optional<V>, _ value: V?) -> Where<O> {
        comparing(attribute.cs_keyPathString, .notEqual, value)
    }

    /// Matches objects whose property is less than a value.
    public static func < (_ attribute: ValueContainer<O>.Optional<V>, _ value: V?) -> Where<O> {
        comparing(attribute.cs_keyPathString, .less, value)
    }

    /// Matches objects whose property is greater than a value.
    public static func > (_ attribute: ValueContainer<O>.Optional<V>, _ value: V?) -> Where<O> {
        comparing(attribute.cs_keyPathString, .greater, value)
    }

    /// Matches objects whose property is less than a value or equals it.
    public static func <= (_ attribute: ValueContainer<O>.Optional<V>, _ value: V?) -> Where<O> {
        comparing(attribute.cs_keyPathString, .lessOrEqual, value)
    }

    /// Matches objects whose property is greater than a value or equals it.
    public static func >= (_ attribute: ValueContainer<O>.Optional<V>, _ value: V?) -> Where<O> {
        comparing(attribute.cs_keyPathString, .greaterOrEqual, value)
    }

    /// Matches objects whose property is one of some values.
    public static func ~= <S: Sequence>(
        _ sequence: S, _ attribute: ValueContainer<O>.Optional<V>
    ) -> Where<O> where S.Iterator.Element == V {
        Where(attribute.cs_keyPathString, isMemberOf: sequence)
    }
}

extension RelationshipContainer.ToOne {
    /// Matches objects whose relationship leads to an object; with nil, to none.
    public static func == (_ relationship: RelationshipContainer<O>.ToOne<D>, _ object: D?) -> Where<O> {
        Where(.comparing(relationship.cs_keyPathString, .equal, .related(object)))
    }

    /// Matches objects whose relationship does not lead to an object; with nil, those where it leads to any.
    public static func != (_ relationship: RelationshipContainer<O>.ToOne<D>, _ object: D?) -> Where<O> {
        Where(.comparing(relationship.cs_keyPathString, .notEqual, .related(object)))
    }

    /// Matches objects whose relationship leads to one of some objects.
    public static func ~= <S: Sequence>(
        _ sequence: S, _ relationship: RelationshipContainer<O>.ToOne<D>
    ) -> Where<O> where S.Iterator.Element == D {
        Where(relationship.cs_keyPathString, isMemberOf: sequence)
    }
}
