public import CofferCCursor
public import CofferStorage

/// Detects whether an enumeration is stored as its raw value or by its own ``FieldStorableType`` conformance.
///
/// A conformance that is written by hand declares the type in the model, `cs_rawAttributeType`, itself. The default of
/// that property notes, on the current thread, for which type it was asked. So a type whose property notes nothing has one
/// of its own, and its conversions are used. The compiler cannot tell: both fulfil the same requirement.
///
/// Asked at every access to a field of an enumeration: two words of the thread are written and one is read, and where the
/// type is known the rest is inlined.
@usableFromInline
enum KeptConversion {
    /// Returns the default of a type, and notes that it was asked for.
    @inlinable
    static func noting<T>(_ type: T.Type, _ attributeType: AttributeType) -> AttributeType {
        coffer_raw_set(UInt(bitPattern: ObjectIdentifier(type)))
        return attributeType
    }

    // The requirement is called, and not the default: the generic parameter is not known to have raw values.
    @inlinable
    static func isRaw<T: FieldStorableType>(_ type: T.Type) -> Bool {
        coffer_raw_set(0)
        _ = T.cs_rawAttributeType
        return coffer_raw_get() == UInt(bitPattern: ObjectIdentifier(type))
    }

    static func isRaw<T: QueryableAttributeType>(query type: T.Type) -> Bool {
        coffer_raw_set(0)
        _ = T.cs_rawAttributeType
        return coffer_raw_get() == UInt(bitPattern: ObjectIdentifier(type))
    }
}

// As for other types, by way of the native type.
extension KeptConversion {
    @usableFromInline
    static func read<T: FieldStorableType & RawRepresentable>(_ row: Row, _ slot: Int, _ type: T.Type) -> T?
    where T.RawValue: FieldStorableType {
        value(row.value(slot, T.cs_rawAttributeType.columnKind), type)
    }

    @usableFromInline
    static func write<T: FieldStorableType>(_ value: T, _ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        let kind = T.cs_rawAttributeType.columnKind
        return row.write(stored(value).converted(to: kind), slot, kind)
    }

    static func stored<T: FieldStorableType>(_ value: T) -> Value { Value(native: value.cs_toFieldStoredNativeType()) }

    static func value<T: FieldStorableType & RawRepresentable>(_ value: Value, _ type: T.Type) -> T?
    where T.RawValue: FieldStorableType {
        (value.native as? T.FieldStoredNativeType).flatMap { StoredConversion.value($0, ofRaw: T.self) }
    }

    static func queried<T: QueryableAttributeType>(_ value: T) -> Value {
        Value(native: value.cs_toQueryableNativeType())
    }
}
