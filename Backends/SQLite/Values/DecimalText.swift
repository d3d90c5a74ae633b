import Foundation

/// Parses and compares decimals, which SQLite stores as text.
enum DecimalText {
    /// Returns the number that a string represents; nil if it represents no number.
    static func decimal(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
        guard !bytes.isEmpty, bytes.allSatisfy({ ($0 >= 48 && $0 <= 57) || [43, 45, 46, 69, 101].contains($0) }) else {
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let decimal = Decimal(string: text), !decimal.isNaN else { return nil }
        return decimal
    }

    /// Returns the numeric order of two strings: negative, zero or positive.
    ///
    /// Strings that are not numbers come last, in the order of their bytes.
    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int32 {
        guard let left = Parts(a), let right = Parts(b) else {
            let (isLeft, isRight) = (Parts(a) != nil, Parts(b) != nil)
            if isLeft != isRight { return isLeft ? -1 : 1 }
            if a.lexicographicallyPrecedes(b) { return -1 }
            return b.lexicographicallyPrecedes(a) ? 1 : 0
        }
        if left.sign != right.sign { return left.sign < right.sign ? -1 : 1 }
        return left.sign * left.compareMagnitude(right)
    }

    /// The parts of a canonical string.
    private struct Parts {
        let sign: Int32
        let whole: Slice<UnsafeRawBufferPointer>
        let fraction: Slice<UnsafeRawBufferPointer>

        init?(_ bytes: UnsafeRawBufferPointer) {
            var rest = bytes[...]
            let isNegative = rest.first == 45
            if isNegative { rest = rest.dropFirst() }
            guard let first = rest.first, first >= 48, first <= 57 else { return nil }
            let whole = rest.prefix { $0 >= 48 && $0 <= 57 }
            var fraction = rest.dropFirst(whole.count)
            if !fraction.isEmpty {
                guard fraction.first == 46 else { return nil }
                fraction = fraction.dropFirst()
                guard fraction.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
            }
            self.whole = whole.drop { $0 == 48 }
            while fraction.last == 48 { fraction = fraction.dropLast() }
            self.fraction = fraction
            sign = self.whole.isEmpty && fraction.isEmpty ? 0 : (isNegative ? -1 : 1)
        }

        func compareMagnitude(_ other: Parts) -> Int32 {
            if whole.count != other.whole.count { return whole.count < other.whole.count ? -1 : 1 }
            for (a, b) in zip(whole, other.whole) where a != b { return a < b ? -1 : 1 }
            for (a, b) in zip(fraction, other.fraction) where a != b { return a < b ? -1 : 1 }
            let (count, otherCount) = (fraction.count, other.fraction.count)
            return count == otherCount ? 0 : (count < otherCount ? -1 : 1)
        }
    }
}
