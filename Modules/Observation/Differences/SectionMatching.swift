import CofferEvaluation

/// Matches the sections of two compared lists, and finds deleted, inserted and moved sections.
///
/// A section with an entry that both lists share is _anchored_. Both lists have the same anchored sections in the
/// same order. The other sections are _loose_, and only loose sections are compared by their names.
struct SectionMatching {
    /// The old indexes of sections that are not in the new list, in ascending order.
    private(set) var deleted: [Int] = []
    /// The new indexes of sections that were not in the old list, in ascending order.
    private(set) var inserted: [Int] = []
    /// The sections that change places, in the order of the new list.
    private(set) var moved: [(old: Int, new: Int)] = []

    private let oldLoose: SparsePlaces
    private let newLoose: SparsePlaces
    /// The new indexes of loose sections, by their old indexes.
    private var pairs: [Int: Int] = [:]
    private let loose: Set<Int>

    /// - Parameters:
    ///   - oldLoose: the loose sections of the old list, in ascending order.
    ///   - newLoose: the loose sections of the new list, in ascending order.
    init(_ old: SnapshotItems, _ new: SnapshotItems, oldLoose: [Int], newLoose: [Int]) {
        self.oldLoose = SparsePlaces(skipped: oldLoose)
        self.newLoose = SparsePlaces(skipped: newLoose)
        loose = Set(newLoose)
        let names = SectionOccurrence.all(oldLoose.map(old.sectionID))
        let former = Dictionary(uniqueKeysWithValues: zip(names, oldLoose))
        var kept: [(old: Int, new: Int)] = []
        for (name, section) in zip(SectionOccurrence.all(newLoose.map(new.sectionID)), newLoose) {
            guard let old = former[name] else {
                inserted.append(section)
                continue
            }
            kept.append((old, section))
            pairs[old] = section
        }
        deleted = oldLoose.filter { pairs[$0] == nil }
        // A loose section can stay only between the same anchored sections.
        let steady = kept.filter { self.oldLoose.rank(of: $0.old) == self.newLoose.rank(of: $0.new) }
        let staying = LongestRun.ascending(ofPlaces: steady.map(\.old))
        let stays = Set(steady.indices.filter { staying.contains($0) }.map { steady[$0].new })
        moved = kept.filter { !stays.contains($0.new) }
    }

    /// Returns the new index of an old section; nil if the section is deleted.
    func newSection(of old: Int) -> Int? {
        if Search.contains(old, in: oldLoose.skipped) { return pairs[old] }
        return newLoose.place(ofRank: oldLoose.rank(of: old))
    }

    /// Whether a section of the new list has no entry that the lists share.
    func isLoose(_ new: Int) -> Bool { loose.contains(new) }
}
