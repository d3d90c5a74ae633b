/// Finds the elements of a sequence that keep their places when the sequence is sorted with few moves.
enum LongestRun {
    /// Returns the places of a strictly ascending subsequence with as many preferred elements as possible.
    ///
    /// Of the subsequences with equally many preferred elements, the longest is returned. The search takes n log n
    /// steps for n numbers.
    ///
    /// - Parameters:
    ///   - numbers: different numbers from 0 on.
    ///   - isPreferred: whether the element at a place should stay if possible.
    static func ascending(in numbers: [Int], preferring isPreferred: (Int) -> Bool = { _ in true }) -> Set<Int> {
        // A Fenwick tree over the numbers: the heaviest subsequence that ends with a number up to an index.
        var heaviest = [(weight: Int, end: Int)](repeating: (0, -1), count: (numbers.max() ?? -1) + 2)
        var previous = [Int](repeating: -1, count: numbers.count)
        let preference = numbers.count + 1
        for (place, number) in numbers.enumerated() {
            var best = (weight: 0, end: -1)
            var index = number
            while index > 0 {
                if heaviest[index].weight > best.weight { best = heaviest[index] }
                index &= index - 1
            }
            previous[place] = best.end
            let sum = (weight: best.weight + (isPreferred(place) ? preference : 1), end: place)
            index = number + 1
            while index < heaviest.count {
                if heaviest[index].weight < sum.weight { heaviest[index] = sum }
                index += index & -index
            }
        }
        var result: Set<Int> = []
        var place = heaviest.max { $0.weight < $1.weight }?.end ?? -1
        while place >= 0 {
            result.insert(place)
            place = previous[place]
        }
        return result
    }
}
