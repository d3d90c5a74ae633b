public import CofferCCursor
public import CofferStorage

/// Detects whether an enumeration is stored as its raw value or by its own ``FieldStorableType`` conformance.
///
/// A conformance that is written by hand declares the type in the model, `cs_rawAttributeType`, itself. The default
/// of that property records, on the current thread, the type for which it was called. If the property of a type
/// records nothing, the type has its own property, and its conversions are used. The compiler cannot distinguish the
/// two, because both fulfil the same requirement.
///
/// The check runs at every access to a field of an enumeration. It writes two words of the thread and reads one. If
/// the type is known, the rest is inlined.
@usableFromInline
enum KeptConversion {
    /// Returns the default attribute type of a type, and records that the default was used.
    @inlinable
    static func noting<T>(_ type: T.Type, _ attributeType: AttributeType) -> AttributeType {
        coffer_raw_set(UInt(bitPattern: ObjectIdentifier(type)))
        return attributeType
    }

    // This calls the requirement and not the default, because the generic parameter is not known to have raw values.
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

// These conversions use the native type, as for other types.
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
