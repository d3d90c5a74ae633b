import CofferCCursor

/// Converts stored values with ``FieldStorableType/cs_fromFieldStoredNativeType(_:)``, and detects failures.
///
/// That requirement is CoreStore's: it returns a value for every native value. Its default implementations cannot, because
/// a store may hold a raw value that an enumeration does not have. While a conversion of a stored value runs, a default
/// implementation returns a placeholder and notes the failure on the current thread. The placeholder is discarded.
enum StoredConversion {
    private static var none: Int32 { 0 }
    private static var running: Int32 { 1 }
    private static var failed: Int32 { 2 }

    /// The value that a native value stands for; nil if a default implementation finds none.
    static func value<T: FieldStorableType>(_ native: T.FieldStoredNativeType, _ type: T.Type) -> T? {
        let outer = coffer_conversion_get()
        coffer_conversion_set(running)
        let value = T.cs_fromFieldStoredNativeType(native)
        let hasFailed = coffer_conversion_get() == failed
        coffer_conversion_set(outer)
        return hasFailed ? nil : value
    }

    /// The same for a type with raw values, whose native values may be those of its raw values.
    static func value<T: FieldStorableType & RawRepresentable>(
        _ native: T.FieldStoredNativeType, ofRaw type: T.Type
    ) -> T? where T.RawValue: FieldStorableType {
        if !hasPlaceholder(type), let raw = native as? T.RawValue.FieldStoredNativeType,
            StoredConversion.value(raw, T.RawValue.self).flatMap(T.init(rawValue:)) == nil
        {
            return nil
        }
        return value(native, type)
    }

    /// Notes that a conversion failed.
    ///
    /// - Returns: nil outside of the conversion of a stored value, and for a type that has no placeholder.
    static func placeholder<T>(_ type: T.Type) -> T? {
        guard coffer_conversion_get() != none, hasPlaceholder(type) else { return nil }
        coffer_conversion_set(failed)
        // All bits of a trivial type may be zero: it is copied and destroyed without a look at them.
        return withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { buffer in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return buffer[0]
        }
    }

    /// Whether the type is trivial, as enumerations without associated values are.
    private static func hasPlaceholder<T>(_ type: T.Type) -> Bool { _isPOD(type) }
}
