public import CofferStorage

/// A value type of the standard library or Foundation, with the same values in fields and in clauses.
public protocol _PlainAttribute: ImportableAttributeType, FieldStorableType
where FieldStoredNativeType == QueryableNativeType {}

extension _PlainAttribute {
    /// The value in conditions, which is the stored value.
    public var _queryValue: Value { _storedValue }
}
