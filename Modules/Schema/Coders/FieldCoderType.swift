public import Foundation

/// Turns the values of a `@Field.Coded` into bytes and back.
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
/// Nil for a value, or for bytes, means that the coder cannot do it: such a value is not saved, and such bytes read as
/// the field's default. A coder that can say why implements ``encoded(_:)`` and ``decoded(_:)`` too.
public protocol FieldCoderType {
    /// The type of the values.
    associatedtype FieldStoredValue

    /// The bytes of a value; nil for nil.
    static func encodeToStoredData(_ fieldValue: FieldStoredValue?) -> Data?
    /// The value of stored bytes; nil for nil.
    static func decodeFromStoredData(_ data: Data?) -> FieldStoredValue?

    /// The bytes of a value; nil for nil, an error for a value that has none.
    static func encoded(_ fieldValue: FieldStoredValue?) throws -> Data?
    /// The value of stored bytes; nil for nil, an error for bytes that have none.
    static func decoded(_ data: Data?) throws -> FieldStoredValue?
}

extension FieldCoderType {
    /// Takes nil for a value as an error.
    public static func encoded(_ fieldValue: FieldStoredValue?) throws -> Data? {
        let data = encodeToStoredData(fieldValue)
        if data == nil, fieldValue != nil { throw FieldCodingError("\(Self.self) has no bytes for it.") }
        return data
    }

    /// Takes nil for bytes as an error.
    public static func decoded(_ data: Data?) throws -> FieldStoredValue? {
        let value = decodeFromStoredData(data)
        if value == nil, data != nil { throw FieldCodingError("\(Self.self) has no value for them.") }
        return value
    }
}
