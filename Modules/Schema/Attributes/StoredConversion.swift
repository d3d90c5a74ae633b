import CofferCCursor

/// Converts stored values with ``FieldStorableType/cs_fromFieldStoredNativeType(_:)``, and detects failures.
///
/// CoreStore defines this requirement, which returns a value for every native value. The default implementations
/// cannot do this, because a store may contain a raw value that an enumeration does not have.
///
/// During the conversion of a stored value, a default implementation returns a placeholder and records the failure on
/// the current thread. The placeholder is discarded.
enum StoredConversion {
    private static var none: Int32 { 0 }
    private static var running: Int32 { 1 }
    private static var failed: Int32 { 2 }

    /// Returns the value that a native value represents; nil if a default implementation finds none.
    static func value<T: FieldStorableType>(_ native: T.FieldStoredNativeType, _ type: T.Type) -> T? {
        let outer = coffer_conversion_get()
        coffer_conversion_set(running)
        let value = T.cs_fromFieldStoredNativeType(native)
        let hasFailed = coffer_conversion_get() == failed
        coffer_conversion_set(outer)
        return hasFailed ? nil : value
    }

    /// Returns the value that a native value represents, for a type with raw values.
    ///
    /// The native values of the type may be the native values of its raw values.
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

    /// Records that a conversion failed, and returns a placeholder.
    ///
    /// - Returns: nil outside of the conversion of a stored value, and for a type that has no placeholder.
    static func placeholder<T>(_ type: T.Type) -> T? {
        guard coffer_conversion_get() != none, hasPlaceholder(type) else { return nil }
        coffer_conversion_set(failed)
        // All bits of a trivial type may be zero, because copying and destroying it do not interpret the bits.
        return withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { buffer in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return buffer[0]
        }
    }

    /// Whether the type is trivial, such as an enumeration without associated values.
    private static func hasPlaceholder<T>(_ type: T.Type) -> Bool { _isPOD(type) }
}
