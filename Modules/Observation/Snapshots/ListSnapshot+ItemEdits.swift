import CofferSchema
public import CofferStorage
public import Foundation

/// Edits items in a copy of a list snapshot, without saving: `appendItems`, `insertItems`, `moveItem`, `reloadItems`.
///
/// Do not add an id that is already in the list.
extension ListSnapshot {
    /// Adds items at the end of a section, by default of the last section.
    ///
    /// If there is no such section, the program stops.
    public mutating func appendItems<C: Collection>(
        withIDs itemIDs: C, toSectionWithID sectionID: SectionID? = nil
    ) where C.Element == ItemID {
        guard let sectionID else {
            guard numberOfSections > 0 else {
                Diagnostics.abort("The snapshot has no section for the items. Append a section first.")
            }
            return appendItems(with: itemIDs, toSectionAt: numberOfSections - 1)
        }
        appendItems(with: itemIDs, toSectionAt: existingSection(sectionID))
    }

    /// Adds items at the end of a section.
    public mutating func appendItems<C: Collection>(
        with itemIDs: C, toSectionAt sectionIndex: Int
    ) where C.Element == ItemID {
        items.sections[sectionIndex].items += itemIDs
    }

    /// Adds items before another item, which must be in the list.
    public mutating func insertItems<C: Collection>(
        withIDs itemIDs: C, beforeItemID: ItemID
    ) where C.Element == ItemID {
        insertItems(withIDs: itemIDs, at: existingPath(beforeItemID))
    }

    /// Adds items after another item, which must be in the list.
    public mutating func insertItems<C: Collection>(
        withIDs itemIDs: C, afterItemID: ItemID
    ) where C.Element == ItemID {
        let path = existingPath(afterItemID)
        insertItems(withIDs: itemIDs, at: [path[0], path[1] + 1])
    }

    /// Adds items at an index path of a section and an item.
    public mutating func insertItems<C: Collection>(
        withIDs itemIDs: C, at indexPath: IndexPath
    ) where C.Element == ItemID {
        items.sections[indexPath[0]].items.insert(contentsOf: itemIDs, at: indexPath[1])
    }

    /// Removes items; ids that are not in the list are ignored.
    public mutating func deleteItems<C: Collection>(withIDs itemIDs: C) where C.Element == ItemID {
        let gone = Set(itemIDs)
        var sections = items.sections
        for index in sections.indices { sections[index].items.removeAll { gone.contains($0) } }
        items.sections = sections
        updatedItemIdentifiers.subtract(gone)
    }

    /// Removes the items at some index paths.
    public mutating func deleteItems<C: Collection>(at itemIndexPaths: C) where C.Element == IndexPath {
        deleteItems(withIDs: ids(at: itemIndexPaths))
    }

    /// Removes all items and keeps the sections.
    public mutating func deleteAllItems() {
        items.sections = items.sections.map { .init(id: $0.id) }
        updatedItemIdentifiers = []
    }

    /// Moves an item before another item; both must be in the list.
    public mutating func moveItem(withID itemID: ItemID, beforeItemID: ItemID) {
        move(itemID, besides: beforeItemID, after: 0)
    }

    /// Moves an item after another item; both must be in the list.
    public mutating func moveItem(withID itemID: ItemID, afterItemID: ItemID) {
        move(itemID, besides: afterItemID, after: 1)
    }

    /// Removes an item, and then inserts it at an index path of the remaining list.
    public mutating func moveItem(at itemIndexPath: IndexPath, to newIndexPath: IndexPath) {
        var sections = items.sections
        let id = sections[itemIndexPath[0]].items.remove(at: itemIndexPath[1])
        sections[newIndexPath[0]].items.insert(id, at: newIndexPath[1])
        items.sections = sections
    }

    /// Marks items as updated; ids that are not in the list are ignored.
    public mutating func reloadItems<C: Collection>(withIDs itemIDs: C) where C.Element == ItemID {
        let known = itemIDs.filter { indexOfItem(withID: $0) != nil }
        generation = SnapshotGeneration()
        updatedItemIdentifiers.formUnion(known)
    }

    /// Marks the items at some index paths as updated.
    public mutating func reloadItems<C: Collection>(at itemIndexPaths: C) where C.Element == IndexPath {
        reloadItems(withIDs: ids(at: itemIndexPaths))
    }

    private mutating func move(_ itemID: ItemID, besides other: ItemID, after distance: Int) {
        guard itemID != other else { return }
        let from = existingPath(itemID)
        _ = existingPath(other)
        items.sections[from[0]].items.remove(at: from[1])
        let to = existingPath(other)
        items.sections[to[0]].items.insert(itemID, at: to[1] + distance)
    }

    private func ids<C: Collection>(at paths: C) -> [ObjectID] where C.Element == IndexPath {
        paths.map { items.id(at: place($0[1], inSection: $0[0])) }
    }

    private func existingPath(_ id: ItemID) -> IndexPath {
        if let path = indexPath(ofItemWithID: id) { return path }
        Diagnostics.abort("\(id) is not in the snapshot. Use an id from 'itemIDs'.")
    }
}
