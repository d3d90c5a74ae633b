public import Foundation

/// A value of a column, such as a string, a number or a date, in requests, results and change sets.
///
/// Two values are equal if they have the same case and the same content. Strings are equal only if their bytes are
/// equal, so a precomposed letter differs from a decomposed letter, as in every store. `ValueOrdering` defines the
/// comparison of values with different cases.
public enum Value: CustomStringConvertible, Codable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case text(String)
    case blob(Data)
    /// The seconds since 1 January 2001, 00:00 UTC: a date's `timeIntervalSinceReferenceDate`.
    case date(Double)
    /// An object, represented by its id.
    case object(ObjectID)

    /// Whether the value is ``null``.
    @inlinable
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension Value: Hashable {
    /// Returns whether both values have the same case and the same content.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b
        case (.text(let a), .text(let b)): ByteOrder.isEqual(a, b)
        case (.blob(let a), .blob(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    /// Hashes the content; a string is hashed by its bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .text(let value):
            var value = value
            value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .blob(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension Value {
    /// Creates the value of a date, without rounding.
    @inlinable
    public static func date(_ date: Date) -> Value { .date(date.timeIntervalSinceReferenceDate) }
}
