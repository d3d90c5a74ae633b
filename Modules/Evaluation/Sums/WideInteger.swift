import Foundation

/// An integer of 128 bits, in which sums of 64-bit integers cannot overflow.
///
/// `Int128` has the same purpose, but it needs macOS 15 and iOS 18.
struct WideInteger: Sendable, Equatable {
    private var high: Int64
    private var low: UInt64

    init(_ number: Int64) {
        high = number &>> 63
        low = UInt64(bitPattern: number)
    }

    /// Creates a number that is not negative, times a power of two.
    ///
    /// - Parameter places: from 0 to 63.
    init(_ digits: UInt64, shiftedBy places: Int) {
        let places = UInt64(truncatingIfNeeded: places)
        low = digits &<< places
        // Two shifts: one by 64 places would do nothing.
        high = Int64(bitPattern: (digits &>> 1) &>> (63 &- places))
    }

    static func &+= (sum: inout Self, number: Self) {
        let (low, carries) = sum.low.addingReportingOverflow(number.low)
        sum.low = low
        sum.high = sum.high &+ number.high &+ (carries ? 1 : 0)
    }

    static prefix func - (number: Self) -> Self {
        var opposite = number
        opposite.low = 0 &- number.low
        opposite.high = ~number.high &+ (number.low == 0 ? 1 : 0)
        return opposite
    }

    var isNegative: Bool { high < 0 }

    /// The absolute value, as two words.
    var magnitude: (high: UInt64, low: UInt64) {
        let number = isNegative ? -self : self
        return (UInt64(bitPattern: number.high), number.low)
    }

    /// The number as a 64-bit integer; nil if it is beyond 64 bits.
    var integer: Int64? {
        let integer = Int64(bitPattern: low)
        return high == integer &>> 63 ? integer : nil
    }

    /// The nearest double; of two nearest doubles, the even one.
    var double: Double {
        let (high, low) = magnitude
        let number: Double
        if high == 0 {
            number = Double(low)
        } else {
            // The highest 64 digits. A double has no room for the last of them, which is 1 if any lower digit is 1.
            let places = UInt64(high.leadingZeroBitCount)
            let digits = high &<< places | (low &>> 1) &>> (63 &- places)
            let isSticky = low &<< places != 0
            number = Double(sign: .plus, exponent: 64 - Int(places), significand: Double(digits | (isSticky ? 1 : 0)))
        }
        return isNegative ? -number : number
    }

    /// The number as a decimal, whose digits also have 128 bits.
    var decimal: Decimal {
        let (high, low) = magnitude
        let number = Decimal(high) * (Decimal(UInt64.max) + 1) + Decimal(low)
        return isNegative ? -number : number
    }
}
