/// A sum of doubles in the making, kept to the last bit and rounded once, so that the order of adding does not matter.
///
/// Every double is a whole number of 2⁻¹⁰⁷⁴. Numbers of about the same size are summed in a window of 128 bits, and the
/// sums of windows in lanes of 32 bits, each in 64, and only the lanes that the numbers so far have reached.
package struct ExactSum: Sendable {
    /// The sum of the last numbers, from ``base`` on.
    private var window = WideInteger(0)
    /// The place of the window's lowest bit, a multiple of 32.
    private var base = 0
    /// How many more numbers the window surely holds.
    private var windowRoom = 0
    /// The place of the first lane.
    private var first = 0
    /// The lanes, the lowest first; their carries wait in the upper halves.
    private var lanes: [Int64] = []
    /// How often a lane may still be added to before its carries are moved on, long before they are full.
    private var room = ExactSum.roomAfterCarrying
    /// The sum of what is no whole number of anything: infinities.
    private var limit: Double?

    private static let roomAfterCarrying = 1 << 16
    /// 53 bits moved by up to 63, 1,024 times, are 126 bits.
    private static let roomOfWindow = 1 << 10
    private static let laneMask: Int64 = 0xFFFF_FFFF

    package init() {}

    package mutating func add(_ number: Double) {
        let bits = number.bitPattern
        let field = Int(bits >> 52 & 0x7FF)
        let fraction = bits & 0xF_FFFF_FFFF_FFFF
        guard field != 0, field != 0x7FF else { return addUnusual(number, fraction) }
        add(fraction | 1 << 52, at: field - 1, isNegative: number < 0)
    }

    /// Adds a zero, a number too small for all of its digits, or what is not finite.
    private mutating func addUnusual(_ number: Double, _ fraction: UInt64) {
        if !number.isFinite {
            limit = (limit ?? 0) + number
        } else if fraction != 0 {
            add(fraction, at: 0, isNegative: number < 0)
        }
    }

    private mutating func add(_ digits: UInt64, at place: Int, isNegative: Bool) {
        if windowRoom == 0 || UInt(bitPattern: place - base) > 63 { moveWindow(to: place) }
        windowRoom -= 1
        let number = WideInteger(digits, shiftedBy: place - base)
        window &+= isNegative ? -number : number
    }

    /// Empties the window, and places it so that numbers of up to 65,000 times the size or of as small a part fit.
    private mutating func moveWindow(to place: Int) {
        emptyWindow()
        base = max(place - 16, 0) & ~31
        windowRoom = Self.roomOfWindow
    }

    private mutating func emptyWindow() {
        var (high, low) = window.magnitude
        if high | low == 0 { return }
        reach(base >> 5, base >> 5 + 3)
        if room == 0 { carry() }
        room -= 1
        let index = base >> 5 - first
        for lane in index..<index + 4 {
            let part = Int64(truncatingIfNeeded: low) & Self.laneMask
            lanes[lane] += window.isNegative ? -part : part
            (high, low) = (high >> 32, low >> 32 | high << 32)
        }
        window = WideInteger(0)
    }

    private mutating func reach(_ lowest: Int, _ highest: Int) {
        if lanes.isEmpty { first = lowest }
        if lowest < first {
            lanes.insert(contentsOf: repeatElement(0, count: first - lowest), at: 0)
            first = lowest
        }
        while first + lanes.count <= highest { lanes.append(0) }
    }

    /// Leaves 32 bits in each lane but the last, which keeps the sign.
    private mutating func carry() {
        for index in lanes.indices.dropLast() {
            lanes[index + 1] += lanes[index] >> 32
            lanes[index] &= Self.laneMask
        }
        while let last = lanes.last, last > Self.laneMask || last < -Self.laneMask {
            lanes[lanes.count - 1] = last & Self.laneMask
            lanes.append(last >> 32)
        }
        room = Self.roomAfterCarrying
    }

    /// The double nearest to the sum, of two as near the even one; an infinity where it is beyond all doubles.
    package var value: Double {
        if let limit { return limit }
        var sum = self
        sum.emptyWindow()
        sum.carry()
        let isNegative = sum.lanes.last(where: { $0 != 0 }).map { $0 < 0 } ?? false
        if isNegative {
            for index in sum.lanes.indices { sum.lanes[index] = -sum.lanes[index] }
            sum.carry()
        }
        return isNegative ? -sum.magnitude : sum.magnitude
    }

    /// The value of lanes that have been carried and are not negative.
    private var magnitude: Double {
        guard let top = lanes.lastIndex(where: { $0 != 0 }) else { return 0 }
        // The highest 64 digits, and whether anything is below them.
        func digits(_ lane: Int) -> UInt64 { lane < 0 ? 0 : UInt64(lanes[lane]) }
        let upper = digits(top) << 32 | digits(top - 1)
        let places = upper.leadingZeroBitCount
        let number = upper << places | (digits(top - 2) << places) >> 32
        let isSticky =
            digits(top - 2) << (32 + places) != 0 || lanes.prefix(max(top - 2, 0)).contains { $0 != 0 }
        let exponent = 32 * (first + top - 1) - places - 1074
        // The digits that a double has no room for: all but 53, and those below 2⁻¹⁰⁷⁴.
        let shift = max(11, -1074 - exponent)
        var kept = number >> shift
        let half: UInt64 = 1 << (shift - 1)
        let rest = number & (half << 1 - 1)
        if rest > half || rest == half && (isSticky || kept & 1 == 1) { kept += 1 }
        return Double(sign: .plus, exponent: exponent + shift, significand: Double(kept))
    }
}
