package import Foundation

/// Compares strings and blobs by their bytes.
///
/// Every store must agree with it (`predicates/text-is-bytes`, `merging/text-is-bytes`).
package enum ByteOrder {
    /// Returns the order of two byte sequences; a prefix comes before a longer sequence.
    package static func compare(
        _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
    ) -> ComparisonResult {
        let result = memcmpOrZero(a, b, min(a.count, b.count))
        if result != 0 { return result < 0 ? .orderedAscending : .orderedDescending }
        if a.count == b.count { return .orderedSame }
        return a.count < b.count ? .orderedAscending : .orderedDescending
    }

    /// Whether two strings have the same bytes.
    static func isEqual(_ left: String, _ right: String) -> Bool {
        var left = left
        var right = right
        return left.withUTF8 { a in
            right.withUTF8 { b in a.count == b.count && memcmpOrZero(a, b, a.count) == 0 }
        }
    }

    private static func memcmpOrZero(
        _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>, _ count: Int
    ) -> Int32 {
        guard count > 0, let a = a.baseAddress, let b = b.baseAddress else { return 0 }
        return memcmp(a, b, count)
    }
}
