#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    /// Adds the target for a `UITableView`, which applies the changes of a list to the view.
    extension DiffableDataSource {
        /// A target that shows its changes in a table view, and does not keep it alive.
        ///
        /// If the table view is in no window, the adapter reloads it. Inserted, deleted and reloaded rows are animated
        /// with `UITableView.RowAnimation.automatic`.
        @MainActor
        public struct DefaultTableViewTarget<T: UITableView>: Target {
            /// The class of the table view.
            public typealias Base = T

            /// The table view; nil after it was deallocated.
            public private(set) weak var base: Base?

            /// Creates a target for a table view.
            public init(_ base: Base) { self.base = base }

            /// Whether the table view is in no window.
            public var shouldSuspendBatchUpdates: Bool { base?.window == nil }

            /// Deletes sections of the table view.
            public func deleteSections(at indices: IndexSet, animated: Bool) {
                base?.deleteSections(indices, with: animation(animated))
            }

            /// Inserts sections into the table view.
            public func insertSections(at indices: IndexSet, animated: Bool) {
                base?.insertSections(indices, with: animation(animated))
            }

            /// Reloads sections of the table view.
            public func reloadSections(at indices: IndexSet, animated: Bool) {
                base?.reloadSections(indices, with: animation(animated))
            }

            /// Moves a section of the table view.
            public func moveSection(at index: IndexSet.Element, to newIndex: IndexSet.Element, animated: Bool) {
                base?.moveSection(index, toSection: newIndex)
            }

            /// Deletes rows of the table view.
            public func deleteItems(at indexPaths: [IndexPath], animated: Bool) {
                base?.deleteRows(at: indexPaths, with: animation(animated))
            }

            /// Inserts rows into the table view.
            public func insertItems(at indexPaths: [IndexPath], animated: Bool) {
                base?.insertRows(at: indexPaths, with: animation(animated))
            }

            /// Reloads rows of the table view.
            public func reloadItems(at indexPaths: [IndexPath], animated: Bool) {
                base?.reloadRows(at: indexPaths, with: animation(animated))
            }

            /// Moves a row of the table view.
            public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath, animated: Bool) {
                base?.moveRow(at: indexPath, to: newIndexPath)
            }

            /// Changes the table view in one batch.
            public func performBatchUpdates(
                updates: @escaping @Sendable () -> Void, animated: Bool, completion: @escaping @Sendable () -> Void
            ) {
                guard let base else {
                    updates()
                    return completion()
                }
                if animated {
                    base.performBatchUpdates(updates, completion: { _ in completion() })
                } else {
                    UIView.performWithoutAnimation {
                        base.performBatchUpdates(updates, completion: { _ in completion() })
                    }
                }
            }

            /// Reloads the table view.
            public func reloadData() { base?.reloadData() }

            private func animation(_ animated: Bool) -> UITableView.RowAnimation { animated ? .automatic : .none }
        }
    }
#endif
