public import Foundation

/// Converts the values of a `@Field.Coded` to bytes and back.
///
/// ```swift
/// enum Lines: FieldCoderType {
///     static func encodeToStoredData(_ fieldValue: [String]?) -> Data? {
///         fieldValue.map { Data($0.joined(separator: "\n").utf8) }
///     }
///     static func decodeFromStoredData(_ data: Data?) -> [String]? {
///         data.map { String(decoding: $0, as: UTF8.self).components(separatedBy: "\n") }
///     }
/// }
/// ```
///
/// If a method returns nil for a value or for bytes, the conversion has failed. Such a value is not saved, and for such
/// bytes the field returns its default. To report the reason of a failure, implement ``encoded(_:)`` and
/// ``decoded(_:)`` too.
public protocol FieldCoderType {
    /// The type of the values.
    associatedtype FieldStoredValue

    /// Returns the bytes of a value; nil for nil.
    static func encodeToStoredData(_ fieldValue: FieldStoredValue?) -> Data?
    /// Returns the value of stored bytes; nil for nil.
    static func decodeFromStoredData(_ data: Data?) -> FieldStoredValue?

    /// Returns the bytes of a value and nil for nil, or throws an error if the value has no bytes.
    static func encoded(_ fieldValue: FieldStoredValue?) throws -> Data?
    /// Returns the value of stored bytes and nil for nil, or throws an error if the bytes have no value.
    static func decoded(_ data: Data?) throws -> FieldStoredValue?
}

extension FieldCoderType {
    /// Calls `encodeToStoredData(_:)`, and throws an error if it returns nil for a value.
    public static func encoded(_ fieldValue: FieldStoredValue?) throws -> Data? {
        let data = encodeToStoredData(fieldValue)
        if data == nil, fieldValue != nil { throw FieldCodingError("\(Self.self) cannot encode the value.") }
        return data
    }

    /// Calls `decodeFromStoredData(_:)`, and throws an error if it returns nil for bytes.
    public static func decoded(_ data: Data?) throws -> FieldStoredValue? {
        let value = decodeFromStoredData(data)
        if value == nil, data != nil { throw FieldCodingError("\(Self.self) cannot decode the bytes.") }
        return value
    }
}
