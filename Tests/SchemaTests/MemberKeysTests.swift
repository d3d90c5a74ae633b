import TestSupport
import Testing

@testable import CofferSchema

/// The list of member keys, compared with a plain array.
struct MemberKeysTests {
    private static let counts = [0, 1, 15, 16, 17, 18, 40, 300]

    @Test(arguments: counts)
    func `a list of member keys equals an array after the same changes`(_ count: Int) {
        for seed in 0..<40 {
            var random = SeededGenerator(seed: UInt64(seed))
            // Some lists repeat keys, and some have the number that marks a gap.
            let range = seed % 3 == 0 ? max(1, count / 2) : 1_000_000
            var keys = (0..<count).map { _ in Int64(random.below(range)) }
            if seed % 5 == 0 { keys.append(.min) }
            var list = MemberKeys(keys)
            for step in 0..<(3 * count + 20) {
                let key = keys.isEmpty || random.below(8) == 0 ? .min : keys[random.below(keys.count)]
                switch random.below(20) {
                case 0..<9:
                    list.remove(key)
                    if let place = keys.firstIndex(of: key) { keys.remove(at: place) }
                case 9:
                    list.removeAll(key)
                    keys.removeAll { $0 == key }
                case 10..<13:
                    let new = Int64(random.below(range))
                    list.append(new)
                    keys.append(new)
                case 13:
                    list.append(key)
                    keys.append(key)
                case 14:
                    list.compact()
                case 15:
                    let isThere = list.contains(key)
                    #expect(isThere == keys.contains(key))
                case 16: #expect(Array(list.reversed) == keys.reversed())
                default: break
                }
                #expect(list.count == keys.count && list.isEmpty == keys.isEmpty, "seed \(seed), step \(step)")
                if random.below(4) == 0 { #expect(list.keys == keys, "seed \(seed), step \(step)") }
            }
            #expect(list.keys == keys, "seed \(seed)")
        }
    }

    /// The orders in which members are removed.
    enum Removal: String, CaseIterable {
        case ascending, descending, random, again
    }

    private func steps(_ removal: Removal, _ count: Int) -> Int {
        var random = SeededGenerator(seed: 1)
        let keys = (0..<count).map { Int64($0) }
        var list = MemberKeys(keys)
        switch removal {
        case .ascending: for key in keys { list.remove(key) }
        case .descending: for key in keys.reversed() { list.remove(key) }
        case .random: for key in keys.shuffled(using: &random) { list.remove(key) }
        case .again:
            for key in keys {
                list.remove(key)
                list.append(key)
            }
        }
        #expect(list.keys == (removal == .again ? keys : []))
        return list.stepCount
    }

    @Test(arguments: Removal.allCases)
    func `the number of steps to remove all members grows linearly`(_ removal: Removal) {
        for count in [1_000, 4_000, 16_000] {
            let steps = steps(removal, count)
            #expect(steps < 60 * count, "\(steps) steps for \(count) members")
        }
    }
}
