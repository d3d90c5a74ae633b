import CofferStorage
import TestSupport

@testable import CofferObservation

/// A list in sections that a test creates or changes at random, and of which it creates snapshots.
struct DrawnList: CustomStringConvertible {
    var sections: [(name: String, keys: [Int64])]
    /// The versions of the rows, with every key in the list.
    var versions: [Int64: Int64] = [:]

    init(_ sections: [(name: String, keys: [Int64])]) {
        self.sections = sections
        for key in sections.flatMap(\.keys) { versions[key] = 1 }
    }

    static let names = Dictionary(
        uniqueKeysWithValues: "abcdefghijklmnopqrst".map { (String($0), SectionName(String($0))) })

    private static let drawnNames = names.keys.sorted().prefix(5).map { $0 }

    /// Creates the list of the entries of a tree.
    init(_ tree: ListTree) {
        sections = []
        for entry in tree.entries {
            let name = entry.section?.text ?? ""
            if sections.last?.name != name { sections.append((name, [])) }
            sections[sections.count - 1].keys.append(entry.row.key)
            versions[entry.row.key] = entry.row.version
        }
    }

    static func id(_ key: Int64) -> ObjectID { ObjectID(storage: 0, key: key) }

    var description: String { sections.map { "\($0.name): \($0.keys)" }.joined(separator: ", ") }

    private func entry(_ key: Int64, _ section: String) -> ListEntry {
        let row = RowBuilder(entity: 0, key: key, version: versions[key] ?? 1, slotCount: 0, tailCapacity: 0).build()
        return ListEntry(row: row, storage: 0, section: Self.names[section])
    }

    /// Returns the keys of the rows that have another version in another list.
    func changed(in other: DrawnList) -> Set<Int64> {
        Set(versions.filter { key, version in other.versions[key].map { $0 != version } ?? false }.keys)
    }

    var tree: ListTree {
        ListTree(sections.flatMap { section in section.keys.map { entry($0, section.name) } })
    }

    var snapshot: ListSnapshot<Town.Person> { ListSnapshot(tree, nil) }

    /// Returns a snapshot of the list, either like that of a publisher or like one that a program edits.
    func drawnSnapshot(_ random: inout SeededGenerator) -> ListSnapshot<Town.Person> {
        var snapshot = snapshot
        guard sections.contains(where: \.keys.isEmpty) || random.below(4) == 0 else { return snapshot }
        snapshot.items.sections = sections.map { .init(id: $0.name, items: $0.keys.map { Self.id($0) }) }
        return snapshot
    }

    /// Changes sections, items, their order and their rows.
    mutating func change(_ random: inout SeededGenerator) {
        for _ in 0..<(1 + random.below(5)) {
            switch random.below(9) {
            case 0, 1: insertItem(&random)
            case 2: insertSection(&random)
            case 3 where !sections.isEmpty:
                let section = sections.remove(at: random.below(sections.count))
                sections.insert(section, at: random.below(sections.count + 1))
            case 4 where !sections.isEmpty && random.below(2) == 0:
                for key in sections.remove(at: random.below(sections.count)).keys { versions[key] = nil }
            case 5 where !sections.isEmpty && random.below(2) == 0:
                let section = random.below(sections.count)
                for key in sections[section].keys { versions[key] = nil }
                sections[section].keys = []
            case 6:
                guard let key = takeItem(&random) else { continue }
                let section = random.below(sections.count)
                sections[section].keys.insert(key, at: random.below(sections[section].keys.count + 1))
            case 7: if let key = takeItem(&random) { versions[key] = nil }
            case 8:
                guard let key = random.pick(sections)?.keys.randomElement(using: &random) else { continue }
                versions[key, default: 1] += 1
            default: break
            }
        }
        if random.below(2) == 0 { sections.removeAll { $0.keys.isEmpty } }
    }

    private mutating func insertSection(_ random: inout SeededGenerator) {
        let free = Self.drawnNames.filter { name in !sections.contains { $0.name == name } }
        guard let name = random.pick(free) else { return }
        sections.insert((name, []), at: random.below(sections.count + 1))
    }

    private mutating func insertItem(_ random: inout SeededGenerator) {
        if sections.isEmpty { insertSection(&random) }
        let (section, key) = (random.below(sections.count), Int64(random.below(1 << 40)))
        versions[key] = 1
        sections[section].keys.insert(key, at: random.below(sections[section].keys.count + 1))
    }

    private mutating func takeItem(_ random: inout SeededGenerator) -> Int64? {
        guard let section = random.pick(sections.indices.filter { !sections[$0].keys.isEmpty }) else { return nil }
        return sections[section].keys.remove(at: random.below(sections[section].keys.count))
    }
}
