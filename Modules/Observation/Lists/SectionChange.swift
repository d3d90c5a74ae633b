/// The change of the sections of a list by a commit or a refetch.
struct SectionChange {
    /// The old places of removed sections, in ascending order.
    private(set) var removed: [Int] = []
    /// The new places of inserted sections, in ascending order.
    private(set) var inserted: [Int] = []

    /// Computes the change of the sections from the change of the list.
    ///
    /// The time is proportional to the change of the list. If a section lost all of its objects and exists again, all
    /// sections are compared instead.
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
        compare(update)
    }

    /// Returns the runs that have no entries except at the given places.
    private static func runs(of places: [Int], in tree: ListTree) -> [Int] {
        var counts: [Int: Int] = [:]
        for place in places { counts[tree.run(at: place), default: 0] += 1 }
        return counts.filter { tree.places(ofRun: $0.key).count == $0.value }.keys.sorted()
    }

    private static func name(_ run: Int, _ tree: ListTree) -> ObjectIdentifier? {
        tree[tree.start(ofRun: run)].section.map { ObjectIdentifier($0) }
    }

    /// Compares all sections.
    ///
    /// A section stays if one of its objects stays, because observers receive no change of this object. Of the other
    /// sections, as many stay as the order allows.
    private mutating func compare(_ update: ListUpdate) {
        let (old, new) = (SectionOccurrence.all(update.old.runNames), SectionOccurrence.all(update.new.runNames))
        let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.element, $0.offset) })
        var pairs = Self.sectionsOfStayingObjects(update)
        let settled = (old: Set(pairs.map(\.old)), new: Set(pairs.map(\.new)))
        for (place, section) in new.enumerated() {
            guard let former = places[section], !settled.old.contains(former), !settled.new.contains(place) else {
                continue
            }
            pairs.append((former, place))
        }
        pairs.sort { $0.new < $1.new }
        let staying = LongestRun.ascending(in: pairs.map(\.old)) { settled.new.contains(pairs[$0].new) }
        let stays = pairs.indices.filter { staying.contains($0) }.map { pairs[$0] }
        removed = Set(old.indices).subtracting(stays.map(\.old)).sorted()
        inserted = Set(new.indices).subtracting(stays.map(\.new)).sorted()
    }

    /// The old and new places of the sections in which an object stays.
    private static func sectionsOfStayingObjects(_ update: ListUpdate) -> [(old: Int, new: Int)] {
        let change = update.change
        let leaving = Set(change.removed).union(change.moved.map(\.old))
        let arriving = Set(change.inserted).union(change.moved.map(\.new))
        // The objects that neither leave nor arrive have the same order in both lists.
        let old = (0..<update.old.count).lazy.filter { !leaving.contains($0) }.map { update.old.run(at: $0) }
        let new = (0..<update.new.count).lazy.filter { !arriving.contains($0) }.map { update.new.run(at: $0) }
        var pairs: [(old: Int, new: Int)] = []
        for pair in zip(old, new) {
            // If a list separates objects of one section, the first part of the section stays.
            if let last = pairs.last, last.old >= pair.0 || last.new >= pair.1 { continue }
            pairs.append((pair.0, pair.1))
        }
        return pairs
    }
}
