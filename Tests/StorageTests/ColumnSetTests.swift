import CofferStorage
import TestSupport
import Testing

/// A column set, compared with a set of integers.
struct ColumnSetTests {
    /// Returns a slot below or above the 64 slots of one word.
    private static func slot(_ random: inout SeededGenerator) -> Int {
        random.chance(50) ? random.below(64) : 60 + random.below(80)
    }

    private static func slots(_ random: inout SeededGenerator) -> Set<Int> {
        Set((0..<random.below(12)).map { _ in slot(&random) })
    }

    @Test func `a column set equals a set of integers after the same random changes`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            var (set, model) = (ColumnSet(), Set<Int>())
            for _ in 0..<random.below(30) {
                switch random.below(4) {
                case 0, 1:
                    let slot = Self.slot(&random)
                    set.insert(slot)
                    model.insert(slot)
                case 2:
                    let slot = Self.slot(&random)
                    set.remove(slot)
                    model.remove(slot)
                default:
                    let other = Self.slots(&random)
                    set.formUnion(ColumnSet(other))
                    model.formUnion(other)
                }
            }
            #expect(set.slots == model.sorted())
            #expect(set.isEmpty == model.isEmpty)
            #expect((0..<150).allSatisfy { set.contains($0) == model.contains($0) })
            #expect(set == ColumnSet(model) && set.hashValue == ColumnSet(model).hashValue)
        }
    }

    @Test func `the intersection of two column sets equals the intersection of sets of integers`() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<2_000 {
            let (left, right) = (Self.slots(&random), Self.slots(&random))
            let common = left.intersection(right)
            #expect(ColumnSet(left).intersection(ColumnSet(right)).slots == common.sorted())
            #expect(ColumnSet(left).intersects(ColumnSet(right)) == !common.isEmpty)
        }
    }

    @Test(arguments: [0, 1, 63, 64, 65, 140])
    func `a column set below a number has all lower slots`(_ count: Int) {
        #expect(ColumnSet(below: count).slots == Array(0..<count))
    }

    @Test func `the first null of a row is the lowest of the slots that are null`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let builder = RowBuilder(entity: 0, key: 1, version: 1, slotCount: 140, tailCapacity: 0)
            let nulls = Self.slots(&random)
            for slot in 0..<140 where !nulls.contains(slot) { builder.write(integer: 0, slot) }
            let row = builder.build()
            let slots = Self.slots(&random)
            #expect(ColumnSet(slots).firstNull(in: row) == slots.intersection(nulls).min())
        }
    }
}
