/// The places of the members of an ordered relationship, as few of which as possible are changed.
///
/// A place is a 64-bit integer. Members come in the order of their places, and members with the same place in the order
/// of their keys. New places leave gaps, so that a member can be put between two others without moving either. Where
/// there is no gap left, the members around it are spread over a larger range.
package struct OrderedPlaces {
    /// The distance between the places of new neighbours.
    package static let step: Int64 = 1 << 16
    /// Where spreading ends, so that no sum of places overflows.
    private static let limits: ClosedRange<Int64> = -(1 << 61)...(1 << 61)
    /// The least distance that spreading leaves between neighbours, where there are others on both sides.
    private static let slack: Int64 = 256

    /// The places, in the members' order; nil for a member without one.
    private var places: [Int64?]
    /// Whether the member stays where it is, or has a place already.
    private var isPlaced: [Bool]

    /// Places for all members, in their order.
    ///
    /// - Parameters:
    ///   - places: the places that the members have.
    ///   - isFixed: whether a member keeps its place if it can. The fixed ones are in the order of their places.
    /// - Returns: the new places, by the members' positions in the list; those that stay the same are left out.
    package static func changes(_ places: [Int64?], isFixed: [Bool]) -> [(index: Int, place: Int64)] {
        var made = OrderedPlaces(places: places, isPlaced: isFixed)
        made.fill()
        return made.places.indices.compactMap { index in
            guard let place = made.places[index], place != places[index] || !isFixed[index] else { return nil }
            return (index, place)
        }
    }

    /// The place after the last one; nil where there is no room.
    package static func after(_ last: Int64?) -> Int64? {
        guard let last else { return step }
        let next = max(last, 0).addingReportingOverflow(step)
        return next.overflow || next.partialValue > limits.upperBound ? nil : next.partialValue
    }

    private mutating func fill() {
        var start = 0
        while start < places.count {
            guard !isPlaced[start] else {
                start += 1
                continue
            }
            var end = start
            while end < places.count, !isPlaced[end] { end += 1 }
            place(start..<end)
            start = end
        }
    }

    /// Places a run of members, and those around it where there is no room for it alone.
    private mutating func place(_ run: Range<Int>) {
        if spread(run, slack: 1) { return }
        var width = 1
        while true {
            let (left, right) = (extendedLeft(run, by: width), extendedRight(run, by: width))
            if spread(run.lowerBound..<right, slack: Self.slack) { return }
            if spread(left..<run.upperBound, slack: Self.slack) { return }
            if spread(left..<right, slack: Self.slack) { return }
            width *= 2
        }
    }

    private func extendedLeft(_ run: Range<Int>, by width: Int) -> Int { max(0, run.lowerBound - width) }

    /// The end of a window; not within another run that has no places yet.
    private func extendedRight(_ run: Range<Int>, by width: Int) -> Int {
        var end = min(places.count, run.upperBound + width)
        while end < places.count, !isPlaced[end] { end += 1 }
        return end
    }

    /// Gives the members of a window places between those on both sides of it.
    ///
    /// - Returns: false, with nothing changed, where there is no room.
    private mutating func spread(_ window: Range<Int>, slack: Int64) -> Bool {
        let count = Int64(window.count)
        // A member without a place comes before all that have one.
        let low = window.lowerBound == 0 ? nil : places[window.lowerBound - 1]
        if window.upperBound < places.count, places[window.upperBound] == nil { return false }
        let high = window.upperBound == places.count ? nil : places[window.upperBound]
        let first: Int64
        var step = Self.step
        switch (low, high) {
        case (nil, nil):
            first = step
        case (let low?, nil):
            guard let after = Self.after(low), after <= Self.limits.upperBound - count * step else { return false }
            first = after
        case (nil, let high?):
            let start = high.subtractingReportingOverflow(count * step)
            guard !start.overflow, start.partialValue >= Self.limits.lowerBound else { return false }
            first = start.partialValue
        case (let low?, let high?):
            let room = high.subtractingReportingOverflow(low)
            step = (room.overflow ? .max : room.partialValue) / (count + 1)
            guard step >= slack else { return false }
            first = low + step
        }
        for (offset, index) in window.enumerated() {
            places[index] = first + Int64(offset) * step
            isPlaced[index] = true
        }
        return true
    }
}
