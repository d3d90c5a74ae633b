public import CofferStorage
public import Foundation

/// Defines the equality and the order of values: numbers, strings, dates, blobs, objects and null.
///
/// Each store must agree with these rules.
///
/// - Null equals only null, and is neither less nor greater than any value. Sorting is different: null comes first; see
///   ``sortOrder(_:_:)``.
/// - Integers, doubles, decimals and booleans (as 0 and 1) are compared by their exact mathematical values. In a
///   comparison with a decimal, a double is the decimal with its digits (`predicates/numbers-mix`).
/// - Strings are compared by their UTF-8 bytes (`predicates/text-is-bytes`, `merging/text-is-bytes`), blobs by their
///   bytes, dates by their seconds without rounding (`values/exact-dates`), and objects by their ids.
/// - All other pairs are incomparable: not equal, not less, and not greater (`predicates/incomparable`).
public enum ValueOrdering {
    /// Returns the order of two comparable values; nil if one of them is null, or if their kinds are incomparable.
    public static func compare(_ left: Value, _ right: Value) -> ComparisonResult? {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): order(a, b)
        case (.text(let a), .text(let b)): compareText(a, b)
        case (.date(let a), .date(let b)): order(a, b)
        case (.blob(let a), .blob(let b)): compareBlobs(a, b)
        case (.object(let a), .object(let b)):
            a == b ? .orderedSame : (a.storage == b.storage ? order(a.key, b.key) : nil)
        default: compareNumbers(left, right)
        }
    }

    /// Returns whether two values are equal; null equals null.
    public static func isEqual(_ left: Value, _ right: Value) -> Bool {
        if left.isNull || right.isNull { return left.isNull && right.isNull }
        return compare(left, right) == .orderedSame
    }

    /// Returns the order of two values for sorting: null first, then the order of ``compare(_:_:)``.
    public static func sortOrder(_ left: Value, _ right: Value) -> ComparisonResult {
        switch (left.isNull, right.isNull) {
        case (true, true): .orderedSame
        case (true, false): .orderedAscending
        case (false, true): .orderedDescending
        case (false, false): compare(left, right) ?? .orderedSame
        }
    }

    private static func compareText(_ left: String, _ right: String) -> ComparisonResult {
        var left = left
        var right = right
        return left.withUTF8 { a in
            right.withUTF8 { b in ByteOrder.compare(a, b) }
        }
    }

    private static func compareBlobs(_ a: Data, _ b: Data) -> ComparisonResult {
        a.withUnsafeBytes { a in
            b.withUnsafeBytes { b in ByteOrder.compare(a.bindMemory(to: UInt8.self), b.bindMemory(to: UInt8.self)) }
        }
    }

    private static func compareNumbers(_ left: Value, _ right: Value) -> ComparisonResult? {
        guard let a = Number(left), let b = Number(right) else { return nil }
        return a.compare(b)
    }

    package static func order<T: Comparable>(_ a: T, _ b: T) -> ComparisonResult {
        a == b ? .orderedSame : (a < b ? .orderedAscending : .orderedDescending)
    }
}
