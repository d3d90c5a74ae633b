public import CofferStorage
public import Foundation

/// The steps that lead from one snapshot of a list to another.
///
/// ```swift
/// for stage in new.difference(from: shown).stages {
///     table.performBatchUpdates {
///         shown.apply(stage)
///         table.insertSections(IndexSet(stage.sectionInsertions.map(\.index)), with: .automatic)
///         for move in stage.sectionMoves { table.moveSection(move.from, toSection: move.to) }
///         table.deleteRows(at: stage.itemDeletions, with: .automatic)
///         table.insertRows(at: stage.itemInsertions.map(\.indexPath), with: .automatic)
///         for move in stage.itemMoves { table.moveRow(at: move.from, to: move.to) }
///         table.deleteSections(IndexSet(stage.sectionDeletions), with: .automatic)
///         table.reloadRows(at: stage.itemReloads, with: .none)
///     }
/// }
/// shown = new
/// ```
///
/// The stages are applied one after another. Each stage describes the change from the list that the previous stage left
/// to the list that the next stage starts from, and holds one kind of change, so that every list view accepts it as a
/// batch:
///
/// 1. Sections are inserted, empty, and sections are moved with their items.
/// 2. Items are deleted, inserted and moved. Sections stay as they are.
/// 3. Sections are deleted, with the items that are left in them.
/// 4. Items whose objects changed are reloaded.
///
/// A stage without changes is left out. The second stage does not list the items of a deleted section that leave the
/// list: the third stage deletes them.
public struct ListDifference: Hashable, Sendable {
    /// The stages, in the order in which they are applied; none of them is empty.
    public let stages: [Stage]

    /// Whether there is nothing to change and nothing to reload.
    public var isEmpty: Bool { stages.isEmpty }

    init(stages: [Stage]) {
        self.stages = stages.filter { !$0.isEmpty }
    }
}

extension ListDifference {
    /// A new section, which is empty.
    public struct SectionInsertion: Hashable, Sendable {
        /// The index of the section after the stage.
        public let index: Int
        /// The name of the section.
        public let sectionID: String
    }

    /// A section at another index.
    public struct SectionMove: Hashable, Sendable {
        /// The index of the section before the stage.
        public let from: Int
        /// The index of the section after the stage.
        public let to: Int
    }

    /// A new item.
    public struct ItemInsertion: Hashable, Sendable {
        /// The place of the item after the stage: the index of its section and the index in the section.
        public let indexPath: IndexPath
        /// The id of the item.
        public let itemID: ObjectID
    }

    /// An item at another place, in the same section or in another one.
    public struct ItemMove: Hashable, Sendable {
        /// The place of the item before the stage.
        public let from: IndexPath
        /// The place of the item after the stage.
        public let to: IndexPath
    }
}
