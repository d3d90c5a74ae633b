import CofferEvaluation

/// Finds the members of an ordered relationship that keep their places when other members are moved.
package enum AscendingRun {
    /// Returns the indexes of the longest strictly ascending subsequence.
    ///
    /// If there are several, the method chooses the subsequence that ends last. The earlier elements of this
    /// subsequence also come as late as possible. Each process must make the same choice.
    package static func longest(in numbers: [Int]) -> Set<Int> {
        // For each length, the place of the lowest number that ends a subsequence of this length.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: numbers.count)
        for (place, number) in numbers.enumerated() {
            let length = Search.count(of: ends) { numbers[$0] < number }
            if length > 0 { previous[place] = ends[length - 1] }
            if length == ends.count { ends.append(place) } else { ends[length] = place }
        }
        var result: Set<Int> = []
        var place = ends.last ?? -1
        while place >= 0 {
            result.insert(place)
            place = previous[place]
        }
        return result
    }
}
