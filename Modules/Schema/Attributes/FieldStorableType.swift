public import CofferStorage

/// A type that `@Field.Stored` can keep.
///
/// An enumeration of strings or integers needs only to say so:
///
/// ```swift
/// enum Mood: String, ImportableAttributeType, FieldStorableType { case calm, angry }
/// ```
///
/// It is kept as its raw values. To keep it otherwise, declare `FieldStoredNativeType`, `cs_rawAttributeType` and both
/// conversions.
public protocol FieldStorableType {
    /// The Foundation type that stands for such a value in dictionaries.
    associatedtype FieldStoredNativeType
    /// The type of the values that conditions compare: of an optional, the wrapped one.
    associatedtype _Compared: FieldStorableType = Self

    /// Whether the values are UUIDs, of which each has one text in the store, in lower case.
    static var _isUUID: Bool { get }
    /// The type in the model.
    static var cs_rawAttributeType: AttributeType { get }
    /// The value that a native value stands for.
    static func cs_fromFieldStoredNativeType(_ value: FieldStoredNativeType) -> Self
    /// The native value; nil for null.
    func cs_toFieldStoredNativeType() -> Any?

    /// Reads a slot; nil when what it holds is no value of this type.
    static func _read(_ row: Row, _ slot: Int) -> Self?
    /// Writes a slot; false when the row has no room for it.
    func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool
    /// The value as requests and models carry it.
    var _storedValue: Value { get }
    /// The inverse of ``_storedValue``; nil when it is no value of this type.
    static func _fromStoredValue(_ value: Value) -> Self?
}

extension FieldStorableType {
    /// False.
    public static var _isUUID: Bool { false }

    /// Reads by way of the native type.
    public static func _read(_ row: Row, _ slot: Int) -> Self? {
        _fromStoredValue(row.value(slot, cs_rawAttributeType.columnKind))
    }

    /// Writes by way of the native type.
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        let kind = Self.cs_rawAttributeType.columnKind
        return row.write(_storedValue.converted(to: kind), slot, kind)
    }

    /// The value that is stored.
    public var _storedValue: Value { Value(native: cs_toFieldStoredNativeType()) }

    /// The value that a stored one stands for.
    public static func _fromStoredValue(_ value: Value) -> Self? {
        (value.native as? FieldStoredNativeType).flatMap { StoredConversion.value($0, Self.self) }
    }
}

extension FieldStorableType where Self: ImportableAttributeType, FieldStoredNativeType == QueryableNativeType {
    /// The value that a native value stands for.
    ///
    /// A native value that stands for none is a mistake of the caller. A stored one is not: the field reads as its default.
    public static func cs_fromFieldStoredNativeType(_ value: FieldStoredNativeType) -> Self {
        requireValue(value)
    }

    /// The value as Core Data would store it.
    public func cs_toFieldStoredNativeType() -> Any? { cs_toQueryableNativeType() }
}

extension Optional: FieldStorableType where Wrapped: FieldStorableType {
    /// The wrapped type's native type, or nil.
    public typealias FieldStoredNativeType = Wrapped.FieldStoredNativeType?
    /// What the wrapped type compares.
    public typealias _Compared = Wrapped._Compared

    /// Whether the wrapped values are UUIDs.
    public static var _isUUID: Bool { Wrapped._isUUID }

    /// The attribute type of the wrapped type.
    public static var cs_rawAttributeType: AttributeType { Wrapped.cs_rawAttributeType }

    /// The value that a native one stands for.
    public static func cs_fromFieldStoredNativeType(_ value: FieldStoredNativeType) -> Self {
        value.map(Wrapped.cs_fromFieldStoredNativeType)
    }

    /// The value as Core Data would store it.
    public func cs_toFieldStoredNativeType() -> Any? { flatMap { $0.cs_toFieldStoredNativeType() } }

    /// Reads by way of the native type.
    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Self? {
        if row.isNull(slot) { return .some(nil) }
        return Wrapped._read(row, slot).map { .some($0) }
    }

    /// Writes by way of the native type.
    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        guard let value = self else {
            row.writeNull(slot)
            return true
        }
        return value._write(row, slot)
    }

    /// The value that is stored.
    public var _storedValue: Value { self?._storedValue ?? .null }

    /// The value that a stored one stands for.
    public static func _fromStoredValue(_ value: Value) -> Self? {
        value.isNull ? .some(nil) : Wrapped._fromStoredValue(value).map { .some($0) }
    }
}
