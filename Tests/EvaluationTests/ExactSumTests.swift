import CofferEvaluation
import CofferStorage
import TestSupport
import Testing

struct ExactSumTests {
    private func sum(_ numbers: [Double]) -> Double {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.value
    }

    @Test func `the sum of two numbers equals the rounded sum of the processor`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            var (a, b) = (Double(bitPattern: generator.next()), Double(bitPattern: generator.next()))
            if generator.chance(50) {
                b = Double(
                    sign: b.sign, exponentBitPattern: a.exponentBitPattern,
                    significandBitPattern: b.significandBitPattern)
            }
            if generator.chance(50) { a /= 0x1p1000 }
            guard !a.isNaN, !b.isNaN else { continue }
            #expect(sum([a, b]) == a + b || (a + b).isNaN, "\(a) + \(b)")
        }
    }

    @Test(
        arguments: [
            ([], 0), ([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 1), ([1e16, 1, -1e16], 1),
            ([1e300, 1e-300, -1e300], 1e-300), ([.greatestFiniteMagnitude, 1e308, -1e308], .greatestFiniteMagnitude),
            ([.greatestFiniteMagnitude, .greatestFiniteMagnitude], .infinity), ([1, -.infinity], -.infinity),
            (
                [-.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .greatestFiniteMagnitude],
                -.greatestFiniteMagnitude
            ),
            ([.leastNonzeroMagnitude, .leastNonzeroMagnitude], 2 * .leastNonzeroMagnitude),
            ([1, 0x1p-53], 1), ([1, 0x1p-53, 0x1p-1074], 1 + 0x1p-52), ([1 + 0x1p-52, 0x1p-53], 1 + 0x1p-51),
            ([-1, -0x1p-53, -0x1p-200], -1 - 0x1p-52), ([0x1p53, 1, 1], 0x1p53 + 2), ([5, -5], 0),
            ([0x1p-1074, -0x1p1023], -0x1p1023),
        ] as [([Double], Double)])
    func `sums are exact and rounded once`(_ numbers: [Double], _ expected: Double) {
        #expect(sum(numbers) == expected)
        #expect(sum(numbers.reversed()) == expected)
    }

    @Test func `the sum of opposite infinities is NaN`() {
        #expect(sum([.infinity, 1, -.infinity]).isNaN)
    }

    @Test func `a sum does not depend on the order, and opposite numbers cancel out`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let numbers = (0..<50).map { _ in
                Double.random(in: -1...1, using: &generator)
                    * Double(sign: .plus, exponent: .random(in: -900...900, using: &generator), significand: 1)
            }
            let total = sum(numbers)
            #expect(sum(numbers.shuffled(using: &generator)) == total)
            #expect(sum((numbers + [0.5] + numbers.map { -$0 }).shuffled(using: &generator)) == 0.5)
        }
    }

    @Test func `carries are propagated after many additions`() {
        var sum = ExactSum()
        let number = Double(0x1F_FFFF_FFFF_FFFF)
        for _ in 0..<200_000 { sum.add(number) }
        sum.add(-number)
        for _ in 0..<199_998 { sum.add(-number) }
        #expect(sum.value == number)
    }

    @Test(arguments: 0..<70) func `a sum of many numbers of similar size does not overflow`(_ exponent: Int) {
        var sum = ExactSum()
        sum.add(1)
        let number = Double(sign: .plus, exponent: exponent, significand: 2 - 0x1p-52)
        for _ in 0..<3_000 { sum.add(number) }
        sum.add(-1)
        // The processor rounds a product only once, too.
        #expect(sum.value == 3_000 * number)
    }
}
