import CofferSchema
import CofferStorage
import Foundation

/// Applies a stage of a list difference to a snapshot.
extension ListSnapshot {
    /// Applies a stage of a difference to this copy; nothing is saved.
    ///
    /// ```swift
    /// var shown = old
    /// for stage in new.difference(from: old).stages { shown.apply(stage) }
    /// // shown has the sections and items of new
    /// ```
    ///
    /// The time is proportional to the length of the list. After the last stage, replace the copy with the new
    /// snapshot, because the new snapshot shares its parts with the list. If the stage belongs to another snapshot and
    /// names a section or an item that does not exist, the program stops.
    public mutating func apply(_ stage: ListDifference.Stage) {
        if !stage.itemReloads.isEmpty { reload(stage.itemReloads) }
        guard stage.changesSections || stage.changesItems else { return }
        var sections = items.sections
        sections.applyItems(of: stage)
        sections.applySections(of: stage)
        items.sections = sections
    }

    private mutating func reload(_ paths: [IndexPath]) {
        let ids = paths.map { path in
            guard let place = safePlace(path[1], inSection: path[0]) else { Diagnostics.abort(wrongStage) }
            return items.id(at: place)
        }
        generation = SnapshotGeneration()
        updatedItemIdentifiers.formUnion(ids)
    }
}

/// The message for a stage that does not fit the snapshot.
private let wrongStage = "The stage belongs to another snapshot. Apply stages of 'new.difference(from: old)' to 'old'."

extension [SnapshotItems.Section] {
    /// Deletes, inserts and moves items.
    fileprivate mutating func applyItems(of stage: ListDifference.Stage) {
        guard stage.changesItems else { return }
        var leaving: [Int: [Int]] = [:]
        for path in stage.itemDeletions + stage.itemMoves.map(\.from) { leaving[path[0], default: []].append(path[1]) }
        var arriving: [Int: [(element: ObjectID, index: Int)]] = [:]
        for insertion in stage.itemInsertions {
            arriving[insertion.indexPath[0], default: []].append((insertion.itemID, insertion.indexPath[1]))
        }
        for move in stage.itemMoves {
            arriving[move.to[0], default: []].append((self[move.from[0]].items[move.from[1]], move.to[1]))
        }
        for (section, indexes) in leaving { self[section].items.remove(at: indexes) }
        for (section, items) in arriving { self[section].items.merge(items) }
    }

    /// Deletes, inserts and moves sections.
    fileprivate mutating func applySections(of stage: ListDifference.Stage) {
        guard stage.changesSections else { return }
        let arriving =
            stage.sectionInsertions.map { (element: Element(id: $0.sectionID), index: $0.index) }
            + stage.sectionMoves.map { (element: self[$0.from], index: $0.to) }
        remove(at: stage.sectionDeletions + stage.sectionMoves.map(\.from))
        merge(arriving)
    }
}

extension Array {
    fileprivate mutating func remove(at indexes: [Int]) {
        let gone = Set(indexes)
        self = indices.filter { !gone.contains($0) }.map { self[$0] }
    }

    /// Inserts elements at their indexes in the result.
    fileprivate mutating func merge(_ arriving: [(element: Element, index: Int)]) {
        var result: [Element] = []
        result.reserveCapacity(count + arriving.count)
        var rest = self[...]
        for (element, index) in arriving.sorted(by: { $0.index < $1.index }) {
            let between = index - result.count
            guard between >= 0, between <= rest.count else {
                Diagnostics.abort(wrongStage)
            }
            result += rest.prefix(between)
            rest = rest.dropFirst(between)
            result.append(element)
        }
        self = result + rest
    }
}
