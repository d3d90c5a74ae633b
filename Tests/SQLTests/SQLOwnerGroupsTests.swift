import CofferSQL
import CofferStorage
import CofferStorageTools
import TestSupport
import Testing

/// Rows grouped by owner, compared with a sort of all rows.
struct SQLOwnerGroupsTests {
    /// Returns a row with a place among the rows of its owner; nil for no place.
    private func row(_ key: Int64, place: Int64?) -> Row {
        let row = RowBuilder(entity: 0, key: key, version: 1, slotCount: 1, tailCapacity: 0)
        if let place { row.write(integer: place, 0) }
        return row.build()
    }

    /// The distribution of the owners' keys.
    enum Owners: CaseIterable {
        case none, one, dense, sparse, extreme

        func keys(_ random: inout SeededGenerator) -> [Int64] {
            let keys: Set<Int64> =
                switch self {
                case .none: []
                case .one: [Int64.max]
                case .dense: Set((0..<60).map { _ in Int64(random.below(100) - 50) })
                case .sparse: Set((0..<60).map { _ in Int64(random.below(1_000_000)) })
                case .extreme: [.min, -1, 0, 7, .max]
                }
            return keys.sorted()
        }
    }

    @Test(arguments: Owners.allCases)
    func `the rows of each owner are ordered by place and key`(_ kind: Owners) {
        for seed in 0..<20 {
            var random = SeededGenerator(seed: UInt64(seed))
            let owners = kind.keys(&random)
            var groups = SQLOwnerGroups(OwnerPlaces(owners), positionSlot: 0)
            var rows: [(owner: Int64, place: Int64?, key: Int64)] = []
            var keys = (0..<300).map { Int64($0) }
            // A scan returns the keys in their order, another plan in any order.
            if seed % 2 == 1 { keys.shuffle(using: &random) }
            for key in keys {
                let isKnown = !owners.isEmpty && random.chance(80)
                let owner = isKnown ? owners[random.below(owners.count)] : Int64(random.below(1_000_000))
                let place = random.chance(20) ? nil : Int64(random.below(5) - 2)
                groups.add(row(key, place: place), of: owner)
                if owners.contains(owner) { rows.append((owner, place, key)) }
            }
            rows.sort { left, right in
                if left.owner != right.owner { return left.owner < right.owner }
                if left.place != right.place {
                    guard let first = left.place else { return true }
                    guard let second = right.place else { return false }
                    return first < second
                }
                return left.key < right.key
            }
            var found: [[Int64]] = []
            groups.forEach { found.append([$0, $1.key]) }
            #expect(found == rows.map { [$0.owner, $0.key] }, "seed \(seed)")
        }
    }

    @Test(arguments: Owners.allCases)
    func `the place of an owner is its index in the list of owners`(_ kind: Owners) {
        for seed in 0..<20 {
            var random = SeededGenerator(seed: UInt64(seed))
            let owners = kind.keys(&random)
            let places = OwnerPlaces(owners)
            for (place, owner) in owners.enumerated() { #expect(places.place(of: owner) == place) }
            for owner in (0..<100).map({ _ in Int64(random.below(1_000_000)) }) + [.min, -60, 60, .max] {
                #expect(places.place(of: owner) == owners.firstIndex(of: owner), "seed \(seed)")
            }
        }
    }

    @Test(
        arguments: [
            // All rows of the table, a third, and less than a third.
            (20, 10, 1_000, 2_000, true), (20, 10, 1_000, 6_000, true), (20, 10, 1_000, 6_001, false),
            (0, 10, 1_000, 1, false), (1, 32, 64, 7, false), (1, 32, 64, 6, true),
        ] as [(Int64, Int, Int, Int64, Bool)])
    func `a scan is worthwhile if at least a third of the rows belong to the owners`(
        _ found: Int64, _ sample: Int, _ owners: Int, _ span: Int64, _ expected: Bool
    ) {
        #expect(
            SQLRelatedScan.isWorthwhile(found: found, of: sample, ownerCount: owners, keys: 1...span) == expected)
    }

    @Test func `the estimate of a scan does not overflow for the whole range of keys`() {
        #expect(!SQLRelatedScan.isWorthwhile(found: 5, of: 8, ownerCount: 64, keys: .min ... .max))
    }

    @Test(arguments: [(64, 8), (127, 8), (128, 16), (1_000, 64), (2_048, 256), (100_000, 256)])
    func `the sample has distinct owners from the whole list`(_ count: Int, _ expected: Int) {
        let sample = SQLRelatedScan.sample(of: (0..<count).map { Int64($0) })
        #expect(sample.count == expected)
        #expect(Set(sample).count == sample.count)
        #expect(sample.allSatisfy { $0 < count } && Int(sample.last ?? 0) >= count * 3 / 4)
    }
}
