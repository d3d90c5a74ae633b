import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferObservation

/// The reports of sections and objects turn the old list into the new one, even if whole sections move.
struct SectionChangeTests {
    /// The names of a list's sections, with the keys and versions of their objects.
    private typealias Content = [(name: String, objects: [(key: Int64, version: Int64)])]

    private let names = ["a", "b", "c", "d"].map { SectionName($0) }

    private func entries(_ content: Content) -> [ListEntry] {
        content.flatMap { section in
            let name = names.first { $0.text == section.name }
            return section.objects.map { key, version in
                let row = RowBuilder(entity: 0, key: key, version: version, slotCount: 0, tailCapacity: 0).build()
                return ListEntry(row: row, storage: 0, section: name)
            }
        }
    }

    private func update(_ old: Content, _ new: Content) -> ListUpdate {
        let tree = ListTree(entries(old))
        return ListUpdate(
            old: tree, new: ListTree(entries(new)), change: ListChange(from: tree, to: entries(new)), commit: 1,
            differing: nil, isGrouped: false)
    }

    /// Returns the new list, created from the old list and the reports to observers.
    private func told(_ old: Content, _ update: ListUpdate) -> [[Int64]] {
        let sections = SectionChange(update)
        func path(_ place: Int, _ tree: ListTree) -> IndexPath {
            let run = tree.run(at: place)
            return [run, place - tree.start(ofRun: run)]
        }
        let gone = Set((update.change.removed + update.change.moved.map(\.old)).map { path($0, update.old) })
        var rest: [[Int64]] = []
        for (section, content) in old.enumerated() {
            let left = content.objects.indices.filter { !gone.contains([section, $0]) }.map { content.objects[$0].key }
            if sections.removed.contains(section) {
                #expect(left.isEmpty, "A deleted section still has objects.")
            } else {
                rest.append(left)
            }
        }
        for section in sections.inserted {
            guard section <= rest.count else {
                Issue.record("A section is inserted after the end of the list.")
                return []
            }
            rest.insert([], at: section)
        }
        let come = (update.change.inserted + update.change.moved.map(\.new)).sorted()
        for place in come {
            let path = path(place, update.new)
            guard path[0] < rest.count, path[1] <= rest[path[0]].count else {
                Issue.record("An object is inserted at an index path that does not exist.")
                return []
            }
            rest[path[0]].insert(update.new[place].row.key, at: path[1])
        }
        return rest
    }

    @Test(.pins("OBS-23")) func `exchanging two sections loses no object`() {
        let old: Content = [("a", [(1, 1), (2, 1)]), ("b", [(3, 1)])]
        let new: Content = [("b", [(3, 2)]), ("a", [(1, 1), (2, 1)])]
        let update = update(old, new)
        #expect(told(old, update) == [[3], [1, 2]])
        // The changed object is the one that moves.
        #expect(update.change.moved.map { [$0.old, $0.new] } == [[2, 0]])
        let sections = SectionChange(update)
        #expect(sections.removed == [1] && sections.inserted == [0])
        // The larger section stays: its objects are not reported, and must not lose their section.
        let small: Content = [("a", [(1, 1)]), ("b", [(2, 1), (3, 1)])]
        let exchanged = self.update(small, [("b", [(2, 1), (3, 1)]), ("a", [(1, 2)])])
        #expect(told(small, exchanged) == [[2, 3], [1]])
    }

    @Test(.pins("OBS-22")) func `the changed object is the one that is reported as moved`() {
        let old: Content = [("a", [(1, 1), (2, 1), (3, 1)])]
        let first = update(old, [("a", [(2, 1), (3, 1), (1, 2)])])
        #expect(first.change.moved.map { [$0.old, $0.new] } == [[0, 2]] && first.change.updated.isEmpty)
        let swapped = update([("a", [(1, 1), (2, 1)])], [("a", [(2, 2), (1, 1)])])
        #expect(swapped.change.moved.map { [$0.old, $0.new] } == [[1, 0]] && swapped.change.updated.isEmpty)
        let other = update([("a", [(1, 1), (2, 1)])], [("a", [(2, 1), (1, 2)])])
        #expect(other.change.moved.map { [$0.old, $0.new] } == [[0, 1]] && other.change.updated.isEmpty)
        let kept = update(old, [("a", [(1, 1), (2, 2), (3, 1)])])
        #expect(kept.change.moved.isEmpty && kept.change.updated.map(\.old) == [1])
    }

    @Test(.pins("OBS-22", "OBS-23")) func `applying the reported random changes produces the new list`() {
        let seed = ProcessInfo.processInfo.environment["COFFER_SEED"].flatMap(UInt64.init) ?? .random(in: 0...9999)
        print("SectionChangeTests: COFFER_SEED=\(seed)")
        var random = SeededGenerator(seed: seed)
        var content: Content = []
        for step in 0..<20_000 {
            let next = changed(content, &random)
            let update = update(content, next)
            #expect(told(content, update) == next.map { $0.objects.map(\.key) }, "seed \(seed), step \(step)")
            content = next
        }
    }

    /// Returns a list with random changes of its objects, versions, sections and orders.
    private func changed(_ content: Content, _ random: inout SeededGenerator) -> Content {
        var sections = content
        for _ in 0..<(1 + random.below(4)) {
            switch random.below(6) {
            case 0:
                let name = names[random.below(names.count)].text
                let object = (key: Int64(random.below(100_000)) << 20 | Int64(random.below(1 << 20)), version: Int64(1))
                if let index = sections.firstIndex(where: { $0.name == name }) {
                    sections[index].objects.insert(object, at: random.below(sections[index].objects.count + 1))
                } else {
                    sections.insert((name, [object]), at: random.below(sections.count + 1))
                }
            case 1 where !sections.isEmpty:
                let section = sections.remove(at: random.below(sections.count))
                sections.insert(section, at: random.below(sections.count + 1))
            case 2 where !sections.isEmpty: sections.remove(at: random.below(sections.count))
            case 3 where sections.count > 1:
                let (from, to) = (random.below(sections.count), random.below(sections.count))
                var object = sections[from].objects.remove(at: random.below(sections[from].objects.count))
                object.version += 1
                sections[to].objects.insert(object, at: random.below(sections[to].objects.count + 1))
            case 4 where !sections.isEmpty:
                let section = random.below(sections.count)
                sections[section].objects[random.below(sections[section].objects.count)].version += 1
            case 5 where !sections.isEmpty:
                let section = random.below(sections.count)
                sections[section].objects.remove(at: random.below(sections[section].objects.count))
            default: break
            }
            sections.removeAll { $0.objects.isEmpty }
        }
        return sections
    }
}
