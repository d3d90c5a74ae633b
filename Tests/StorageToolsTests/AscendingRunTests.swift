import TestSupport
import Testing

@testable import CofferStorageTools

/// The longest ascending subsequence, compared with all subsequences.
struct AscendingRunTests {
    /// Returns all ascending subsequences, as sets of places.
    private static func ascending(_ numbers: [Int]) -> [[Int]] {
        (0..<(1 << numbers.count)).map { mask in numbers.indices.filter { mask >> $0 & 1 == 1 } }
            .filter { places in zip(places, places.dropFirst()).allSatisfy { numbers[$0] < numbers[$1] } }
    }

    @Test func `the longest ascending subsequence is found`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<400 {
            let numbers = (0..<random.below(10)).map { _ in random.below(8) }
            let places = AscendingRun.longest(in: numbers).sorted()
            let all = Self.ascending(numbers)
            #expect(all.contains(places), "\(numbers)")
            #expect(places.count == all.map(\.count).max(), "\(numbers)")
        }
    }

    @Test(arguments: [
        ([], []), ([7], [0]), ([3, 1, 2], [1, 2]), ([1, 2, 3, 0], [0, 1, 2]), ([2, 1], [1]), ([1, 1], [1]),
        ([1, 3, 2, 4], [0, 2, 3]), ([4, 3, 2, 1], [3]),
    ])
    func `of several longest subsequences the last one is chosen`(_ numbers: [Int], _ places: [Int]) {
        #expect(AscendingRun.longest(in: numbers) == Set(places))
    }
}
