import Foundation
import TestSupport
import Testing

@testable import CofferEvaluation

/// Sums of 64-bit integers, compared with decimals, which are exact in this range.
struct WideIntegerTests {
    private static let edges: [Int64] = [
        0, 1, -1, 2, -2, 1 << 32, -(1 << 32), (1 << 53) + 1, .max, .min, .max - 1, .min + 1,
    ]

    private func decimal(_ number: Int64) -> Decimal { Decimal(string: "\(number)") ?? .nan }

    private func sum(_ numbers: [Int64]) -> WideInteger {
        numbers.reduce(into: WideInteger(0)) { $0 &+= WideInteger($1) }
    }

    @Test func `sums are exact, whatever their sign and size`() {
        var generator = SeededGenerator(seed: 1)
        for count in 0..<200 {
            let numbers = (0..<count).map { _ in Int64.random(in: .min ... .max, using: &generator) } + Self.edges
            let expected = numbers.reduce(Decimal(0)) { $0 + decimal($1) }
            let sum = sum(numbers)
            #expect(sum.decimal == expected, "\(numbers)")
            #expect((-sum).decimal == -expected, "\(numbers)")
            #expect(sum.isNegative == (expected < 0), "\(numbers)")
            #expect("\(sum.decimal)" == "\(expected)", "\(numbers)")
        }
    }

    @Test(arguments: edges)
    func `a 64-bit integer converts back without loss`(_ number: Int64) {
        #expect(WideInteger(number).integer == number)
        #expect(WideInteger(number).double == Double(number))
        #expect(WideInteger(number).decimal == decimal(number))
        #expect(
            sum([number, number, .max, .min, 1]).integer
                == (number.addingReportingOverflow(number).overflow ? nil : 2 * number))
    }

    @Test func `a sum beyond 64 bits has no integer value and converts to the nearest double`() {
        #expect(sum([.max, 1]).integer == nil)
        #expect(sum([.min, -1]).integer == nil)
        #expect(sum([.max, 1]).double == 0x1p63)
        #expect(sum([.min, .min]).double == -0x1p64)
        // The sum is halfway between two doubles, then a little larger, and then a little smaller.
        let half = Array(repeating: Int64.max, count: 4) + [4, 1 << 12]
        #expect(sum(half).double == 0x1p65)
        #expect(sum(half + [1]).double == 0x1p65 + 0x1p13)
        #expect(sum(half + [-1]).double == 0x1p65)
        #expect(sum(half + [1 << 13]).double == 0x1p65 + 0x1p14)
        #expect(sum((half + [1]).map { -$0 }).double == -0x1p65 - 0x1p13)
    }

    @Test(arguments: 0...63)
    func `digits are shifted across words`(_ places: Int) {
        let digits: UInt64 = 0x1F_FFFF_FFFF_FFFF
        let expected = Double(sign: .plus, exponent: places, significand: Double(digits))
        #expect(WideInteger(digits, shiftedBy: places).double == expected)
        #expect((-WideInteger(digits, shiftedBy: places)).double == -expected)
    }
}
