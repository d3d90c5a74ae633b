public import CofferStorage
public import Foundation

/// The difference of two snapshots of a list: the stages that change one snapshot into the other.
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
/// Apply the stages one after another. The list after a stage is the list before the next stage. A stage contains one
/// kind of change, so that every list view accepts the stage as a batch:
///
/// 1. New, empty sections are inserted, and sections are moved with their items.
/// 2. Items are deleted, inserted and moved. Sections do not change.
/// 3. Sections are deleted, with their remaining items.
/// 4. Items whose objects changed are reloaded.
///
/// A stage without changes is left out. If an item leaves the list together with its section, only the third stage
/// deletes the item.
public struct ListDifference: Hashable, Sendable {
    /// The stages, in the order in which they are applied; none of them is empty.
    public let stages: [Stage]

    /// Whether there are no changes and no reloads.
    public var isEmpty: Bool { stages.isEmpty }

    init(stages: [Stage]) { self.stages = stages.filter { !$0.isEmpty } }
}

extension ListDifference {
    /// A new, empty section.
    public struct SectionInsertion: Hashable, Sendable {
        /// The index of the section after the stage.
        public let index: Int
        /// The name of the section.
        public let sectionID: String
    }

    /// A section that moves to another index.
    public struct SectionMove: Hashable, Sendable {
        /// The index of the section before the stage.
        public let from: Int
        /// The index of the section after the stage.
        public let to: Int
    }

    /// A new item.
    public struct ItemInsertion: Hashable, Sendable {
        /// The index path of the item after the stage.
        public let indexPath: IndexPath
        /// The id of the item.
        public let itemID: ObjectID
    }

    /// An item that moves within its section or to another section.
    public struct ItemMove: Hashable, Sendable {
        /// The index path of the item before the stage.
        public let from: IndexPath
        /// The index path of the item after the stage.
        public let to: IndexPath
    }
}
