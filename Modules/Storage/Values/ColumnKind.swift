/// The physical kind of a column: what a slot of a ``Row`` holds and what a store must keep without loss.
///
/// `values/integer`, `values/double`, `values/decimal`, `values/boolean`, `values/date`, `values/text`, `values/blob`,
/// `values/reference`; an entity may have any number of columns (`values/wide-entity`).
public enum ColumnKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A signed 64-bit integer.
    case integer
    /// A finite or infinite IEEE 754 double. Never NaN, which the core refuses, and every store.
    case double
    /// A base-ten number of up to 38 digits. Never NaN.
    case decimal
    /// True or false.
    case boolean
    /// An instant: the seconds since 1 January 2001, 00:00 UTC, as a finite or infinite IEEE 754 double. Never NaN.
    case date
    /// Unicode text, kept and compared as its UTF-8 bytes.
    case text
    /// Bytes.
    case blob
    /// The 64-bit primary key of a related object. Null when there is none.
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
