import TestSupport
import Testing

@testable import CofferStorageTools

struct OrderedPlacesTests {
    private let step = OrderedPlaces.step

    /// Returns the places of members after some of them have new places.
    private func placed(_ places: [Int64?], _ isFixed: [Bool]) -> (places: [Int64?], changed: Int) {
        var result = places
        let changes = OrderedPlaces.changes(places, isFixed: isFixed)
        for (index, place) in changes { result[index] = place }
        return (result, changes.count)
    }

    @Test func `new members of an empty list have gaps between their places`() {
        #expect(placed([nil, nil, nil], [false, false, false]).places == [step, 2 * step, 3 * step])
    }

    @Test func `a member is inserted at the end, at the start or between others without moving any`() {
        #expect(placed([step, 2 * step, nil], [true, true, false]).places == [step, 2 * step, 3 * step])
        #expect(placed([nil, step, 2 * step], [false, true, true]).places == [0, step, 2 * step])
        #expect(placed([step, nil, 2 * step], [true, false, true]).places == [step, step + step / 2, 2 * step])
        #expect(placed([7, nil, nil, 10], [true, false, false, true]).places == [7, 8, 9, 10])
    }

    @Test func `a list without gaps is read unchanged, and an insertion moves members on the nearer side`() {
        let dense = (0..<1_000).map { Int64?($0) }
        for index in [1, 3, 500, 990, 999] {
            var places = dense
            places.insert(nil, at: index)
            var isFixed = Array(repeating: true, count: places.count)
            isFixed[index] = false
            let (made, changed) = placed(places, isFixed)
            #expect(isAscending(made))
            #expect(changed <= 2 * min(index, 1_000 - index) + 1)
        }
        #expect(placed(dense + [nil], dense.map { _ in true } + [false]).changed == 1)
    }

    @Test func `a member can be inserted between two members with the same place`() {
        let (places, changed) = placed([5, step, nil, step, step * 3], [true, true, false, true, true])
        #expect(isAscending(places))
        #expect(changed == 2)
    }

    @Test func `members without a place come first, and get a place if others are inserted among them`() {
        #expect(placed([nil, nil, 5], [true, true, true]).places == [nil, nil, 5])
        let (places, _) = placed([nil, nil, nil, 5], [true, false, true, true])
        #expect(places[0] == nil || places[0]! < places[1]!)
        #expect(isAscending(Array(places.dropFirst())))
    }

    @Test func `places at the limits of an integer are moved away from the limits`() {
        #expect(isAscending(placed([.max, nil], [true, false]).places))
        #expect(isAscending(placed([nil, .min], [false, true]).places))
        #expect(isAscending(placed([.min, nil, .max], [true, false, true]).places))
        #expect(isAscending(placed([.max - 1, nil, .max], [true, false, true]).places))
        #expect(OrderedPlaces.after(.max) == nil)
        #expect(OrderedPlaces.after(-7) == step)
    }

    /// Insertions at random places, at one place, and in ascending and descending order move few other members.
    @Test(arguments: ["random", "one place", "before the last", "after the last", "front"])
    func `insertions change the places of few other members`(_ kind: String) {
        var random = SeededGenerator(seed: 1)
        var places: [Int64?] = [step, 2 * step]
        var last = 1
        var moved = 0
        for _ in 0..<3_000 {
            let index =
                switch kind {
                case "random": Int.random(in: 0...places.count, using: &random)
                case "one place": 1
                case "before the last": max(1, last)
                case "after the last": last + 1
                default: 0
                }
            last = index
            places.insert(nil, at: index)
            var isFixed = Array(repeating: true, count: places.count)
            isFixed[index] = false
            let (made, changed) = placed(places, isFixed)
            #expect(isAscending(made))
            places = made
            moved += changed - 1
        }
        #expect(moved < 3_000 * 8)
    }

    private func isAscending(_ places: [Int64?]) -> Bool {
        zip(places, places.dropFirst()).allSatisfy { ($0 ?? .min) < ($1 ?? .min) }
    }
}

struct OrderedMergeTests {
    private func merged(_ base: String, _ current: String, _ stored: String) -> String {
        func keys(_ text: String) -> [Int64] { text.unicodeScalars.map { Int64($0.value) } }
        let merge = OrderedMerge(base: keys(base), current: keys(current), stored: keys(stored))
        return String(String.UnicodeScalarView(merge.keys.compactMap { UnicodeScalar(UInt32($0)) }))
    }

    @Test(arguments: [
        ("12", "12x", "2", "2x"), ("12", "12x", "12y", "12yx"), ("12", "x12", "y12", "xy12"),
        ("12", "1x2", "1y2", "1xy2"), ("123", "312", "12", "12"), ("123", "312", "1243", "3124"),
        ("123", "13", "12x3", "1x3"), ("123", "", "1x23", "x"), ("", "ab", "cd", "cdab"), ("12", "ab", "123", "3ab"),
        ("123", "321", "123", "321"), ("12", "12", "21", "21"), ("12", "12x", "12x3", "123x"),
    ])
    func `changes of two transactions to one list are merged`(
        _ base: String, _ current: String, _ stored: String, _ expected: String
    ) {
        #expect(merged(base, current, stored) == expected)
    }
}
