import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferObservation

/// Differences of lists that share most of their nodes.
struct SharedDifferenceTests {
    private static let names = DrawnList.names.sorted { $0.key < $1.key }.map(\.value)

    private func entry(_ key: Int64, _ section: SectionName?, version: Int64 = 1) -> ListEntry {
        let row = RowBuilder(entity: 0, key: key, version: version, slotCount: 0, tailCapacity: 0).build()
        return ListEntry(row: row, storage: 0, section: section)
    }

    private func tree(_ count: Int) -> ListTree {
        ListTree((0..<count).map { entry(Int64($0), Self.names[$0 * Self.names.count / count]) })
    }

    @Test func `the stages of shared lists turn the old list into the new list, for random changes`() {
        let seed = ProcessInfo.processInfo.environment["COFFER_SEED"].flatMap(UInt64.init) ?? .random(in: 0...9999)
        print("SharedDifferenceTests: COFFER_SEED=\(seed)")
        var random = SeededGenerator(seed: seed)
        for count in [0, 40, 700, 3000] {
            var (trees, key) = ([tree(count)], Int64(1_000_000))
            for batch in 0..<150 {
                var new = trees[trees.count - 1]
                for _ in 0..<(1 + random.below(5)) { change(&new, &key, &random) }
                // The old tree is one or several commits older.
                let tree = trees[max(0, trees.count - 1 - random.below(4))]
                let (old, drawn) = (DrawnList(tree), DrawnList(new))
                let difference = ListSnapshot<Town.Person>(new, nil).difference(from: ListSnapshot(tree, nil))
                let reached = NaiveList(old).applying(difference)
                guard reached.sections == drawn.naive.sections, reached.mistakes.isEmpty,
                    reached.reloaded == old.changed(in: drawn)
                else {
                    Issue.record("seed \(seed), \(count) objects, batch \(batch): \(difference.text)")
                    return
                }
                trees.append(new)
            }
        }
    }

    /// Changes an entry or a section, and leaves each section in one run.
    private func change(_ tree: inout ListTree, _ key: inout Int64, _ random: inout SeededGenerator) {
        let runs = tree.runNames
        switch random.below(tree.count == 0 ? 1 : 8) {
        case 0:
            // A new section is inserted. The next two cases delete or move all entries of a section.
            guard let name = random.pick(Self.names.filter { !runs.contains($0.text) }) else { return }
            let place = tree.start(ofRun: random.below(runs.count + 1))
            for offset in 0...random.below(100) {
                tree.insert(entry(key, name), at: place + offset)
                key += 1
            }
        case 1 where random.below(4) == 0:
            let places = tree.places(ofRun: random.below(runs.count))
            for place in places.reversed() { tree.remove(at: place) }
        case 2 where random.below(4) == 0 && runs.count > 1:
            let places = tree.places(ofRun: random.below(runs.count))
            let entries = places.map { tree[$0] }
            for place in places.reversed() { tree.remove(at: place) }
            let place = tree.start(ofRun: random.below(runs.count))
            for (offset, entry) in entries.enumerated() { tree.insert(entry, at: place + offset) }
        case 3: tree.remove(at: random.below(tree.count))
        case 4:
            let place = random.below(tree.count)
            let old = tree[place]
            tree.replace(entry(old.row.key, old.section, version: old.row.version + 1), at: place)
        default:
            // Inserts a new entry, or moves one.
            let place = random.below(tree.count)
            let old = tree[place]
            let isMoved = random.below(2) == 0 && tree.count > 1
            if isMoved { tree.remove(at: place) }
            let run = random.below(tree.runCount)
            let (places, section) = (tree.places(ofRun: run), tree[tree.start(ofRun: run)].section)
            let target = places.lowerBound + random.below(places.count + 1)
            tree.insert(entry(isMoved ? old.row.key : key, section, version: old.row.version), at: target)
            if !isMoved { key += 1 }
        }
    }

    @Test(arguments: [10_000, 40_000])
    func `if one entry of a list changed, only the leaves with the change are compared`(_ count: Int) {
        let old = tree(count)
        var random = SeededGenerator(seed: 1)
        for step in 0..<100 {
            var new = old
            switch step % 3 {
            case 0: new.remove(at: random.below(count))
            case 1: new.insert(entry(-1, nil), at: random.below(count))
            default: new.replace(entry(-1, nil), at: random.below(count))
            }
            let gaps = new.gaps(from: old)
            #expect(gaps.count == 1)
            #expect(gaps[0].old.count <= 2 * ListNode.leafCapacity && gaps[0].new.count <= 2 * ListNode.leafCapacity)
        }
        #expect(old.gaps(from: old) == [])
        #expect(tree(count).gaps(from: old) == [ListGap(old: 0..<count, new: 0..<count)])
    }

    @Test func `the entries in a range are found in all leaves`() {
        let tree = tree(5000)
        for range in [0..<0, 0..<5000, 63..<65, 100..<4000, 4999..<5000] {
            var keys: [Int64] = []
            tree.forEach(in: range) { keys.append($0.row.key) }
            #expect(keys == range.map { Int64($0) })
        }
    }
}
