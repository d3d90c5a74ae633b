/// Computes the places of members of an ordered relationship, 65,536 apart, and changes as few places as possible.
///
/// A place is a 64-bit integer. Members are ordered by place, and members with the same place by key. New places leave
/// gaps, so that a member can be inserted between two others without moving them. If there is no gap, the neighbouring
/// members are spread over a larger range.
package struct OrderedPlaces {
    /// The distance between the places of new neighbours.
    package static let step: Int64 = 1 << 16
    /// The limits of spreading, which prevent an overflow of sums of places.
    private static let limits: ClosedRange<Int64> = -(1 << 61)...(1 << 61)
    /// The minimum distance between neighbours after spreading, if there are others on both sides.
    private static let slack: Int64 = 256

    /// The places in the order of the members; nil for a member without a place.
    private var places: [Int64?]
    /// Whether the member keeps its place, or already has a new place.
    private var isPlaced: [Bool]

    /// Returns new places for the members, in their order.
    ///
    /// - Parameters:
    ///   - places: the present places of the members.
    ///   - isFixed: whether a member keeps its place if possible. The fixed members are in the order of their places.
    /// - Returns: the changed places, by the positions of the members in the list.
    package static func changes(_ places: [Int64?], isFixed: [Bool]) -> [(index: Int, place: Int64)] {
        var made = OrderedPlaces(places: places, isPlaced: isFixed)
        made.fill()
        return made.places.indices.compactMap { index in
            guard let place = made.places[index], place != places[index] || !isFixed[index] else { return nil }
            return (index, place)
        }
    }

    /// The place after the last place; nil if there is no room.
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

    /// Places a run of members; if there is no room, also the members around it.
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

    /// The end of a window, which does not divide another run without places.
    private func extendedRight(_ run: Range<Int>, by width: Int) -> Int {
        var end = min(places.count, run.upperBound + width)
        while end < places.count, !isPlaced[end] { end += 1 }
        return end
    }

    /// Sets the places of the members in a window, between the places on both sides of the window.
    ///
    /// - Returns: false if there is no room; in this case, nothing is changed.
    private mutating func spread(_ window: Range<Int>, slack: Int64) -> Bool {
        let count = Int64(window.count)
        // A member without a place comes before all members with a place.
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
