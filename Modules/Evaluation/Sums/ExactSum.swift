/// Adds doubles exactly and rounds the sum once, so that the order of the numbers does not matter.
///
/// Each double is a multiple of 2⁻¹⁰⁷⁴. Numbers of similar size are added in a window of 128 bits. The sums of the
/// windows are added in lanes of 32 bits, each of which has a 64-bit integer. There are only lanes that the numbers
/// have reached.
package struct ExactSum: Sendable {
    /// The sum of the latest numbers, with the place ``base`` for its lowest bit.
    private var window = WideInteger(0)
    /// The place of the window's lowest bit, a multiple of 32.
    private var base = 0
    /// The number of further numbers for which the window surely has room.
    private var windowRoom = 0
    /// The place of the first lane.
    private var first = 0
    /// The lanes, the lowest first; the upper halves contain the carries.
    private var lanes: [Int64] = []
    /// The number of further additions to a lane before carries are moved, long before a lane is full.
    private var room = ExactSum.roomAfterCarrying
    /// The sum of the numbers that are not finite.
    private var limit: Double?

    private static let roomAfterCarrying = 1 << 16
    /// A number of 53 bits that is shifted by up to 63 bits, and added 1,024 times, needs 126 bits.
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

    /// Adds a zero, a subnormal number, or a number that is not finite.
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

    /// Empties the window, and moves it so that it has room for numbers of up to 65,000 times the size, or of 1/65,000.
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

    /// Leaves 32 bits in each lane except the last lane, which keeps the sign.
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

    /// The nearest double; of two nearest doubles, the even one; infinity for a sum beyond all doubles.
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

    /// The value of the lanes, which must be carried and not negative.
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
        // A double has no room for these digits: all except the first 53, and all below 2⁻¹⁰⁷⁴.
        let shift = max(11, -1074 - exponent)
        var kept = number >> shift
        let half: UInt64 = 1 << (shift - 1)
        let rest = number & (half << 1 - 1)
        if rest > half || rest == half && (isSticky || kept & 1 == 1) { kept += 1 }
        return Double(sign: .plus, exponent: exponent + shift, significand: Double(kept))
    }
}
