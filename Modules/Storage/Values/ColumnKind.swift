/// The kind of the values in a column: integer, double, decimal, boolean, date, text, blob or reference.
///
/// A store must keep the values of each kind without loss. These cases check the kinds: `values/integer`,
/// `values/double`, `values/decimal`, `values/boolean`, `values/date`, `values/text`, `values/blob` and
/// `values/reference`. An entity may have any number of columns (`values/wide-entity`).
public enum ColumnKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A signed 64-bit integer.
    case integer
    /// A finite or infinite IEEE 754 double, but never NaN, which the core and every store refuse.
    case double
    /// A decimal number of up to 38 digits, but never NaN.
    case decimal
    /// True or false.
    case boolean
    /// An instant: the seconds since 1 January 2001, 00:00 UTC.
    ///
    /// It is a finite or infinite IEEE 754 double, but never NaN.
    case date
    /// A Unicode string, which is stored and compared as its UTF-8 bytes.
    case text
    /// Bytes.
    case blob
    /// The 64-bit key of a related object; null if there is none.
    case reference
}

extension ColumnKind {
    /// Whether a slot holds the bits of a double.
    @inlinable
    package var isDouble: Bool { self == .double || self == .date }

    /// Whether the value lies in the tail of a row.
    package var isInTail: Bool {
        switch self {
        case .text, .blob, .decimal: true
        case .integer, .double, .boolean, .date, .reference: false
        }
    }
}
