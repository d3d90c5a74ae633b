/// Finds the indexes of the ascending subsequence that has as many preferred elements as possible.
extension LongestRun {
    /// The indexes of a strictly ascending subsequence: the one with the most preferred elements, and among those the
    /// longest.
    ///
    /// Places that are in order take linear time; others take n log n steps.
    ///
    /// - Parameters:
    ///   - places: different numbers.
    ///   - isPreferred: whether the element at an index had better stay.
    static func ascending(ofPlaces places: [Int], preferring isPreferred: (Int) -> Bool = { _ in true }) -> Set<Int> {
        guard !zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) else { return Set(places.indices) }
        var numbers = [Int](repeating: 0, count: places.count)
        for (number, index) in places.indices.sorted(by: { places[$0] < places[$1] }).enumerated() {
            numbers[index] = number
        }
        return ascending(in: numbers, preferring: isPreferred)
    }
}
