public import CofferStorage

/// The protocol of types that `@Field.Stored` can store, such as `String`, `Int` and enumerations.
///
/// An enumeration of strings or integers needs only the conformance:
///
/// ```swift
/// enum Mood: String, ImportableAttributeType, FieldStorableType { case calm, angry }
/// ```
///
/// The store contains the raw values. To store other values, declare `FieldStoredNativeType`, `cs_rawAttributeType` and
/// both conversions.
public protocol FieldStorableType {
    /// The Foundation type of such a value in dictionaries.
    associatedtype FieldStoredNativeType
    /// The type of the values in conditions; for an optional, the wrapped type.
    associatedtype _Compared: FieldStorableType = Self

    /// Whether the values are UUIDs, which the store contains as strings in lower case.
    static var _isUUID: Bool { get }
    /// The type of the attribute in the model.
    static var cs_rawAttributeType: AttributeType { get }
    /// Converts a native value to a value of this type.
    static func cs_fromFieldStoredNativeType(_ value: FieldStoredNativeType) -> Self
    /// Converts the value to its native value; nil for null.
    func cs_toFieldStoredNativeType() -> Any?

    /// Reads a slot; returns nil if the slot does not contain a value of this type.
    static func _read(_ row: Row, _ slot: Int) -> Self?
    /// Writes a slot; returns false if the row has no space for the value.
    func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool
    /// The value in requests and models.
    var _storedValue: Value { get }
    /// Converts a stored value back; nil if it is not a value of this type.
    static func _fromStoredValue(_ value: Value) -> Self?
}

extension FieldStorableType {
    /// Returns false.
    public static var _isUUID: Bool { false }

    /// Reads the native value and converts it.
    public static func _read(_ row: Row, _ slot: Int) -> Self? {
        _fromStoredValue(row.value(slot, cs_rawAttributeType.columnKind))
    }

    /// Converts the value and writes its native value.
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        let kind = Self.cs_rawAttributeType.columnKind
        return row.write(_storedValue.converted(to: kind), slot, kind)
    }

    /// The stored value.
    public var _storedValue: Value { Value(native: cs_toFieldStoredNativeType()) }

    /// Converts a stored value back.
    public static func _fromStoredValue(_ value: Value) -> Self? {
        (value.native as? FieldStoredNativeType).flatMap { StoredConversion.value($0, Self.self) }
    }
}

extension FieldStorableType where Self: ImportableAttributeType, FieldStoredNativeType == QueryableNativeType {
    /// Converts a native value to a value of this type.
    ///
    /// If a native value does not represent a value of this type, the caller has made a mistake. If a stored value
    /// does not represent one, the field returns its default.
    public static func cs_fromFieldStoredNativeType(_ value: FieldStoredNativeType) -> Self {
        requireValue(value)
    }

    /// The value in the form of Core Data.
    public func cs_toFieldStoredNativeType() -> Any? { cs_toQueryableNativeType() }
}

extension Optional: FieldStorableType where Wrapped: FieldStorableType {
    /// The wrapped type's native type, as an optional.
    public typealias FieldStoredNativeType = Wrapped.FieldStoredNativeType?
    /// The type that the wrapped type uses in conditions.
    public typealias _Compared = Wrapped._Compared

    /// Whether the wrapped values are UUIDs.
    public static var _isUUID: Bool { Wrapped._isUUID }

    /// The attribute type of the wrapped type.
    public static var cs_rawAttributeType: AttributeType { Wrapped.cs_rawAttributeType }

    /// Converts a native value to a value of this type.
    public static func cs_fromFieldStoredNativeType(_ value: FieldStoredNativeType) -> Self {
        value.map(Wrapped.cs_fromFieldStoredNativeType)
    }

    /// The value in the form of Core Data.
    public func cs_toFieldStoredNativeType() -> Any? { flatMap { $0.cs_toFieldStoredNativeType() } }

    /// Reads the native value and converts it.
    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Self? {
        if row.isNull(slot) { return .some(nil) }
        return Wrapped._read(row, slot).map { .some($0) }
    }

    /// Converts the value and writes its native value.
    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        guard let value = self else {
            row.writeNull(slot)
            return true
        }
        return value._write(row, slot)
    }

    /// The stored value.
    public var _storedValue: Value { self?._storedValue ?? .null }

    /// Converts a stored value back.
    public static func _fromStoredValue(_ value: Value) -> Self? {
        value.isNull ? .some(nil) : Wrapped._fromStoredValue(value).map { .some($0) }
    }
}
