public import CofferStorage
public import Foundation

/// What "equal" and "less" mean between two values.
///
/// Every store must agree with this.
///
/// - Null equals null and nothing else, and is neither less nor greater than anything (sorting is another matter:
///   there null comes first, see ``sorts(_:before:)``).
/// - Integers, doubles, decimals and booleans (as 0 and 1) compare by their exact mathematical value; beside a decimal, a
///   double counts as the decimal with its digits (`predicates/numbers-mix`).
/// - Text compares by its UTF-8 bytes (`predicates/text-is-bytes`, `merging/text-is-bytes`), blobs by their bytes,
///   dates by their seconds, without any rounding (`values/exact-dates`), objects by identity.
/// - Anything else is incomparable: not equal, not less, not greater (`predicates/incomparable`).
public enum ValueOrdering {
    /// The order of two comparable values, or nil when one is null or they are of incomparable kinds.
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

    /// Whether two values are equal, with null equal to null.
    public static func isEqual(_ left: Value, _ right: Value) -> Bool {
        if left.isNull || right.isNull { return left.isNull && right.isNull }
        return compare(left, right) == .orderedSame
    }

    /// The order used for sorting: null before everything, then ``compare(_:_:)``.
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
