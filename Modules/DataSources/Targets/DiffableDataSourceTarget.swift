public import Foundation

/// A view that can show the snapshots of a ``DiffableDataSource/BaseAdapter``.
///
/// Table views and collection views have targets: ``DiffableDataSource/DefaultTableViewTarget`` and
/// ``DiffableDataSource/DefaultCollectionViewTarget``. For your own view, conform the view or a value that refers to
/// the view:
///
/// ```swift
/// struct BoardTarget: DiffableDataSource.Target {
///     weak var board: BoardView?
///     var shouldSuspendBatchUpdates: Bool { board?.window == nil }
///     func deleteItems(at indexPaths: [IndexPath], animated: Bool) { board?.removeCards(at: indexPaths) }
///     // …
/// }
/// ```
///
/// The adapter calls every member on the main queue. Deletions, and the old index of a move, are indexes of the list
/// before the batch. Insertions, and the new index of a move, are indexes of the list after the batch.
@MainActor
public protocol DiffableDataSourceTarget {
    /// Whether the adapter must call ``reloadData()`` instead of ``performBatchUpdates(updates:animated:completion:)``.
    ///
    /// Implementations must return true while the view is not on screen.
    var shouldSuspendBatchUpdates: Bool { get }

    /// Deletes sections with their items.
    func deleteSections(at indices: IndexSet, animated: Bool)

    /// Inserts empty sections.
    func insertSections(at indices: IndexSet, animated: Bool)

    /// Reloads sections with their items.
    ///
    /// The adapter itself reloads only items. A subclass of an adapter may call this method.
    func reloadSections(at indices: IndexSet, animated: Bool)

    /// Moves a section with its items.
    func moveSection(at index: IndexSet.Element, to newIndex: IndexSet.Element, animated: Bool)

    /// Deletes items.
    func deleteItems(at indexPaths: [IndexPath], animated: Bool)

    /// Inserts items.
    func insertItems(at indexPaths: [IndexPath], animated: Bool)

    /// Reloads items whose objects changed.
    func reloadItems(at indexPaths: [IndexPath], animated: Bool)

    /// Moves an item within its section or to another section.
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath, animated: Bool)

    /// Changes the view in one step.
    ///
    /// Implementations must call `updates` once before they return, and `completion` once when the view shows the changes.
    /// If `updates` was not called, the adapter reloads the view.
    ///
    /// - Parameters:
    ///   - updates: calls the other members. After it has run, the adapter describes the new list.
    ///   - animated: whether the view animates the changes.
    ///   - completion: called on the main queue.
    func performBatchUpdates(
        updates: @escaping @Sendable () -> Void, animated: Bool, completion: @escaping @Sendable () -> Void)

    /// Reloads all sections and items, without animation.
    func reloadData()
}
