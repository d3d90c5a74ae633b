import CofferStorage
import Foundation

@testable import CofferObservation

/// A list view that follows the rules exactly.
///
/// It uses only the public properties of a difference.
struct NaiveList {
    struct Section: Equatable {
        var name: String
        var keys: [Int64]
    }

    var sections: [Section]
    /// The keys of reloaded items.
    var reloaded: Set<Int64> = []
    /// Indexes that do not exist, and sections that are deleted or inserted against the rules.
    var mistakes: [String] = []

    init(_ list: DrawnList) {
        sections = list.sections.map { Section(name: $0.name, keys: $0.keys) }
    }

    func applying(_ difference: ListDifference) -> NaiveList {
        var list = self
        for stage in difference.stages { list.apply(stage) }
        return list
    }

    private mutating func apply(_ stage: ListDifference.Stage) {
        let before = sections
        func key(_ path: IndexPath) -> Int64? {
            guard before.indices.contains(path[0]), before[path[0]].keys.indices.contains(path[1]) else { return nil }
            return before[path[0]].keys[path[1]]
        }
        for path in stage.itemReloads {
            guard let key = key(path), reloaded.insert(key).inserted else { return mistake("reload \(path)") }
        }
        // Items are removed from the last to the first, so that no removal changes the index of another removed item.
        for path in (stage.itemDeletions + stage.itemMoves.map(\.from)).sorted().reversed() {
            guard key(path) != nil else { return mistake("remove \(path)") }
            sections[path[0]].keys.remove(at: path[1])
        }
        for section in (stage.sectionDeletions + stage.sectionMoves.map(\.from)).sorted().reversed() {
            guard before.indices.contains(section) else { return mistake("remove section \(section)") }
            sections.remove(at: section)
        }
        // Sections and items are inserted from the first to the last.
        let newSections = stage.sectionInsertions.map { ($0.index, Section(name: $0.sectionID, keys: [])) }
        let movedSections = stage.sectionMoves.map { ($0.to, before[$0.from]) }
        for (index, section) in (newSections + movedSections).sorted(by: { $0.0 < $1.0 }) {
            guard index <= sections.count else { return mistake("insert section \(index)") }
            sections.insert(section, at: index)
        }
        let newItems = stage.itemInsertions.map { ($0.indexPath, $0.itemID.key) }
        let movedItems = stage.itemMoves.compactMap { move in key(move.from).map { (move.to, $0) } }
        for (path, key) in (newItems + movedItems).sorted(by: { $0.0 < $1.0 }) {
            guard path[0] < sections.count, path[1] <= sections[path[0]].keys.count else {
                return mistake("insert \(path)")
            }
            sections[path[0]].keys.insert(key, at: path[1])
        }
    }

    private mutating func mistake(_ text: String) { mistakes.append(text) }
}

extension DrawnList {
    var naive: NaiveList { NaiveList(self) }
}

extension ListDifference {
    /// The stages, one per line: "+section d @2", "section 2 > 1", "-5 @0.1", "+6 @1.2", "0.0 > 1.1", "reload 0.0".
    var text: [String] {
        func path(_ path: IndexPath) -> String { "\(path[0]).\(path[1])" }
        return stages.map { stage in
            var parts = stage.sectionInsertions.map { "+section \($0.sectionID) @\($0.index)" }
            parts += stage.sectionMoves.map { "section \($0.from) > \($0.to)" }
            parts += stage.itemDeletions.map { "-\(path($0))" }
            parts += stage.itemInsertions.map { "+\($0.itemID.key) @\(path($0.indexPath))" }
            parts += stage.itemMoves.map { "\(path($0.from)) > \(path($0.to))" }
            parts += stage.sectionDeletions.map { "-section \($0)" }
            parts += stage.itemReloads.map { "reload \(path($0))" }
            return parts.joined(separator: ", ")
        }
    }
}
