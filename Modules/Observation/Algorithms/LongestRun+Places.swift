/// Finds the indexes of the ascending subsequence that has as many preferred elements as possible.
extension LongestRun {
    /// Returns the indexes of a strictly ascending subsequence with as many preferred elements as possible.
    ///
    /// Of the subsequences with equally many preferred elements, the longest is returned. Places that are in order
    /// take linear time; other places take n log n steps.
    ///
    /// - Parameters:
    ///   - places: different numbers.
    ///   - isPreferred: whether the element at an index should stay if possible.
    static func ascending(ofPlaces places: [Int], preferring isPreferred: (Int) -> Bool = { _ in true }) -> Set<Int> {
        guard !zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) else { return Set(places.indices) }
        var numbers = [Int](repeating: 0, count: places.count)
        for (number, index) in places.indices.sorted(by: { places[$0] < places[$1] }).enumerated() {
            numbers[index] = number
        }
        return ascending(in: numbers, preferring: isPreferred)
    }
}
