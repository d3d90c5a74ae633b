public import Foundation

/// Defines a stage of a list difference: changes that a view applies together.
extension ListDifference {
    /// Changes of a list that are applied together.
    ///
    /// ```swift
    /// shown.apply(stage)
    /// ```
    ///
    /// Deletions, and the `from` of moves, are indexes of the list before the stage. Insertions, and the `to` of moves,
    /// are indexes of the list after the stage. All other sections and items keep their order. The indexes follow the
    /// rules of `UITableView.performBatchUpdates(_:completion:)`. Every array is in ascending order, and moves are in
    /// the order of `to`.
    public struct Stage: Hashable, Sendable {
        /// The indexes of deleted sections before the stage; their items are deleted with them.
        public internal(set) var sectionDeletions: [Int] = []
        /// The new, empty sections with their indexes after the stage.
        public internal(set) var sectionInsertions: [SectionInsertion] = []
        /// The sections that move, with all of their items.
        public internal(set) var sectionMoves: [SectionMove] = []
        /// The index paths of deleted items before the stage.
        public internal(set) var itemDeletions: [IndexPath] = []
        /// The new items with their index paths after the stage.
        public internal(set) var itemInsertions: [ItemInsertion] = []
        /// The items that move.
        public internal(set) var itemMoves: [ItemMove] = []
        /// The index paths of items whose objects changed; a stage with reloads has no other changes.
        public internal(set) var itemReloads: [IndexPath] = []

        /// Whether the stage deletes, inserts or moves sections.
        var changesSections: Bool {
            !(sectionDeletions.isEmpty && sectionInsertions.isEmpty && sectionMoves.isEmpty)
        }

        /// Whether the stage deletes, inserts or moves items.
        var changesItems: Bool { !(itemDeletions.isEmpty && itemInsertions.isEmpty && itemMoves.isEmpty) }

        var isEmpty: Bool { !changesSections && !changesItems && itemReloads.isEmpty }
    }
}
