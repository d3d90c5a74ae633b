import CofferEvaluation
import CofferStorage
import TestSupport
import Testing

@testable import CofferInMemory

/// The persistent structures, compared with dictionaries and sorted arrays; a failure reports its seed.
struct StructureTests {
    @Test(arguments: 1...8)
    func `a row map agrees with a dictionary, and its copies never change`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var map = RowMap()
        var model: [Int64: Int64] = [:]
        var copies: [(RowMap, [Int64: Int64])] = []
        let bounds: [Int64] = [40, 2_000, 1 << 40, .max]
        for step in 0..<3_000 {
            let key =
                Int64.random(in: 0...bounds[seed % bounds.count], using: &random) & (random.chance(50) ? .max : 1023)
            if random.chance(35), let old = model.keys.min() {
                let gone = random.chance(50) ? old : key
                #expect(map.set(nil, gone)?.version == model.removeValue(forKey: gone), "seed \(seed)")
            } else {
                let row = RowBuilder(entity: 0, key: key, version: Int64(step), slotCount: 0, tailCapacity: 0).build()
                #expect(map.set(row, key)?.version == model.updateValue(Int64(step), forKey: key), "seed \(seed)")
            }
            if step % 500 == 0 { copies.append((map, model)) }
        }
        copies.append((map, model))
        for (map, model) in copies {
            var found: [[Int64]] = []
            map.forEach {
                found.append([$0.key, $0.version])
                return true
            }
            #expect(found == model.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }, "seed \(seed)")
            #expect(map.count == model.count)
            #expect(map[-1] == nil)
        }
    }

    @Test(arguments: 1...8)
    func `an editor and a lookup of a row map agree with the map`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var map = RowMap()
        let key = { (random: inout SeededGenerator) in
            Int64.random(in: 0..<300, using: &random) << (random.chance(10) ? 20 : 0)
        }
        for round in 0..<6 {
            let before = map
            var editor = RowMapEditor(map)
            for step in 0..<400 {
                let key = key(&random)
                let row = RowBuilder(
                    entity: 0, key: key, version: Int64(round * 400 + step), slotCount: 0, tailCapacity: 0
                ).build()
                let change = random.chance(30) ? nil : row
                #expect(editor.set(change, key)?.version == map.set(change, key)?.version, "seed \(seed)")
            }
            let edited = editor.map
            #expect(edited.count == map.count, "seed \(seed)")
            var (own, other, old) = (RowLookup(edited), RowLookup(map), RowLookup(before))
            for _ in 0..<400 {
                let key = key(&random)
                #expect(own.row(key)?.version == other.row(key)?.version, "seed \(seed)")
                #expect(old.row(key)?.version == before[key]?.version, "seed \(seed)")
            }
        }
    }

    @Test(arguments: 1...8)
    func `sorting entries by words agrees with comparing them`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let bounds: [UInt64] = [3, 1 << 20, 1 << 40, .max]
        var entries = (0..<3_000).map { _ in
            let word = SortWord(
                high: UInt64.random(in: 0...bounds[seed % 4], using: &random),
                low: UInt64.random(in: 0...2, using: &random)
            )
            return Entry(word: word, key: Int64.random(in: 0..<100, using: &random))
        }
        let sorted = entries.sorted(by: Entry.precedes)
        entries.sortByWords()
        #expect(entries == sorted, "seed \(seed)")
    }

    @Test(arguments: 1...8)
    func `a tree agrees with a sorted array, and its copies never change`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var tree = EntryTree()
        var model: Set<Entry> = []
        var copies: [(EntryTree, Set<Entry>)] = []
        let entry = { (random: inout SeededGenerator) in
            Entry(
                word: SortWord(Int64.random(in: 0..<200, using: &random)), key: Int64.random(in: 0..<20, using: &random)
            )
        }
        for step in 0..<4_000 {
            if step % 700 == 699 {
                let some = Set((0..<Int.random(in: 1...900, using: &random)).map { _ in entry(&random) }).subtracting(
                    model)
                tree.insert(sorted: some.sorted(by: Entry.precedes), by: Entry.precedes)
                model.formUnion(some)
                let gone = model.filter { _ in random.chance(30) }
                tree.remove(sorted: gone.sorted(by: Entry.precedes), by: Entry.precedes)
                model.subtract(gone)
            }
            let one = entry(&random)
            if random.chance(step < 2_500 ? 40 : 70) {
                let gone = random.chance(50) ? one : model.min(by: Entry.precedes) ?? one
                #expect(tree.remove(gone, by: Entry.precedes) == (model.remove(gone) != nil), "seed \(seed)")
            } else {
                tree.insert(one, by: Entry.precedes)
                model.insert(one)
            }
            if step % 600 == 0 { copies.append((tree, model)) }
        }
        copies.append((tree, model))
        for (tree, model) in copies {
            let sorted = model.sorted(by: Entry.precedes)
            let start = SortWord(100 as Int64)
            #expect(collect { tree.walk($0) } == sorted, "seed \(seed)")
            #expect(collect { tree.walk(from: { $0.word < start }, $0) } == sorted.filter { !($0.word < start) })
            #expect(collect { tree.walkBackwards($0) } == sorted.reversed(), "seed \(seed)")
            #expect(
                collect { tree.walkBackwards(from: { $0.word < start }, $0) }
                    == sorted.filter { $0.word < start }.reversed())
            #expect(tree.count == sorted.count)
        }
    }

    private func collect(_ walk: ((Entry) -> Bool) -> Void) -> [Entry] {
        var entries: [Entry] = []
        walk {
            entries.append($0)
            return true
        }
        return entries
    }
}
