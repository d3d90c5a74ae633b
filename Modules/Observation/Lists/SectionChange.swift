/// What a commit or a refetch did to the sections of a list.
struct SectionChange {
    /// The old places of sections that are gone, in ascending order.
    private(set) var removed: [Int] = []
    /// The new places of sections that came, in ascending order.
    private(set) var inserted: [Int] = []

    /// The change of sections that comes with a change of the list.
    ///
    /// It takes as long as the list's change is, unless a section lost all it had and yet is there again: then the
    /// sections are compared one by one.
    init(_ update: ListUpdate) {
        let change = update.change
        let emptied = Self.runs(of: change.removed + change.moved.map(\.old), in: update.old)
        let filled = Self.runs(of: change.inserted + change.moved.map(\.new), in: update.new)
        let names = Set(emptied.map { Self.name($0, update.old) })
        let hasReturned = filled.contains { names.contains(Self.name($0, update.new)) }
        let hasAllRuns = update.old.runCount - emptied.count + filled.count == update.new.runCount
        guard hasReturned || !hasAllRuns else {
            (removed, inserted) = (emptied, filled)
            return
        }
        compare(Self.sections(of: update.old), Self.sections(of: update.new))
    }

    /// The runs of which nothing is left but what is at some places.
    private static func runs(of places: [Int], in tree: ListTree) -> [Int] {
        var counts: [Int: Int] = [:]
        for place in places { counts[tree.run(at: place), default: 0] += 1 }
        return counts.filter { tree.places(ofRun: $0.key).count == $0.value }.keys.sorted()
    }

    private static func name(_ run: Int, _ tree: ListTree) -> ObjectIdentifier? {
        tree[tree.start(ofRun: run)].section.map { ObjectIdentifier($0) }
    }

    /// A section's name, and how many before it have the same one.
    private struct Section: Hashable {
        let name: String
        let occurrence: Int
    }

    private static func sections(of tree: ListTree) -> [Section] {
        var counts: [String: Int] = [:]
        return tree.runNames.map { name in
            defer { counts[name, default: 0] += 1 }
            return Section(name: name, occurrence: counts[name, default: 0])
        }
    }

    private mutating func compare(_ old: [Section], _ new: [Section]) {
        let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.element, $0.offset) })
        let kept = new.enumerated().compactMap { place, section in places[section].map { (old: $0, new: place) } }
        let staying = LongestRun.ascending(in: kept.map(\.old))
        let stays = kept.indices.filter { staying.contains($0) }.map { kept[$0] }
        removed = Set(old.indices).subtracting(stays.map(\.old)).sorted()
        inserted = Set(new.indices).subtracting(stays.map(\.new)).sorted()
    }
}
