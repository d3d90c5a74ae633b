import CofferStorage
import Testing

@testable import CofferObservation

/// The structure behind lists, compared with plain arrays.
struct ListTreeTests {
    @Test func `a tree equals an array after the same changes, and its former copies never change`() {
        var generator = SystemRandomNumberGenerator()
        let names = ["a", "b", "c"].map { SectionName($0) }
        var (array, tree) = ([ListEntry](), ListTree())
        var kept: [(array: [Int64], tree: ListTree)] = []
        func entry(_ key: Int64) -> ListEntry {
            let row = RowBuilder(entity: 0, key: key, version: 1, slotCount: 0, tailCapacity: 0).build()
            return ListEntry(row: row, storage: 0, section: names.randomElement(using: &generator))
        }
        for step in 0..<6000 {
            let isGrowing = step < 3500
            if array.isEmpty || Int.random(in: 0..<10, using: &generator) < (isGrowing ? 7 : 2) {
                let (place, made) = (Int.random(in: 0...array.count, using: &generator), entry(Int64(step)))
                array.insert(made, at: place)
                tree.insert(made, at: place)
            } else {
                let place = Int.random(in: 0..<array.count, using: &generator)
                array.remove(at: place)
                tree.remove(at: place)
            }
            guard step % 250 == 0 else { continue }
            check(tree, array)
            kept.append((array.map(\.row.key), tree))
        }
        check(ListTree(array), array)
        for (keys, tree) in kept { #expect(tree.entries.map(\.row.key) == keys) }
    }

    private func check(_ tree: ListTree, _ array: [ListEntry]) {
        #expect(tree.count == array.count)
        #expect(tree.entries.map(\.row.key) == array.map(\.row.key))
        #expect(array.indices.allSatisfy { tree[$0].row.key == array[$0].row.key })
        var starts: [Int] = []
        for index in array.indices {
            if index == 0 || array[index].section !== array[index - 1].section { starts.append(index) }
            #expect(tree.run(at: index) == starts.count - 1)
        }
        #expect(tree.runCount == starts.count)
        #expect(starts.indices.map { tree.start(ofRun: $0) } == starts)
        #expect(tree.start(ofRun: starts.count) == array.count)
    }

    @Test func `the longest run of items that need not move is found`() {
        #expect(LongestRun.ascending(in: []) == [])
        #expect(LongestRun.ascending(in: [3, 1, 2, 5, 4]).count == 3)
        #expect(LongestRun.ascending(in: [0, 1, 2]) == [0, 1, 2])
        #expect(LongestRun.ascending(in: [2, 1, 0]).count == 1)
        #expect(LongestRun.ascending(in: [1, 0]) { $0 == 1 } == [1])
        #expect(LongestRun.ascending(in: [3, 0, 1, 2]) { $0 == 0 } == [0])
        #expect(LongestRun.ascending(in: [4, 0, 1, 2, 3]) { $0 == 0 || $0 == 4 }.contains(4))
    }
}
