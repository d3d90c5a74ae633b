#if canImport(AppKit) && !canImport(UIKit)
    public import AppKit

    /// Adds the target for an `NSCollectionView`, which applies the changes of a list to the view.
    extension DiffableDataSource {
        /// A target that shows its changes in a collection view, and does not keep it alive.
        ///
        /// If the collection view is in no window, the adapter reloads it.
        @MainActor
        public struct DefaultCollectionViewTarget<T: NSCollectionView>: Target {
            /// The class of the collection view.
            public typealias Base = T

            /// The collection view; nil after it was deallocated.
            public private(set) weak var base: Base?

            /// Creates a target for a collection view.
            public init(_ base: Base) { self.base = base }

            /// Whether the collection view is in no window.
            public var shouldSuspendBatchUpdates: Bool { base?.window == nil }

            /// Deletes sections of the collection view.
            public func deleteSections(at indices: IndexSet, animated: Bool) { base?.deleteSections(indices) }

            /// Inserts sections into the collection view.
            public func insertSections(at indices: IndexSet, animated: Bool) { base?.insertSections(indices) }

            /// Reloads sections of the collection view.
            public func reloadSections(at indices: IndexSet, animated: Bool) { base?.reloadSections(indices) }

            /// Moves a section of the collection view.
            public func moveSection(at index: IndexSet.Element, to newIndex: IndexSet.Element, animated: Bool) {
                base?.moveSection(index, toSection: newIndex)
            }

            /// Deletes items of the collection view.
            public func deleteItems(at indexPaths: [IndexPath], animated: Bool) {
                base?.deleteItems(at: Set(indexPaths))
            }

            /// Inserts items into the collection view.
            public func insertItems(at indexPaths: [IndexPath], animated: Bool) {
                base?.insertItems(at: Set(indexPaths))
            }

            /// Reloads items of the collection view.
            public func reloadItems(at indexPaths: [IndexPath], animated: Bool) {
                base?.reloadItems(at: Set(indexPaths))
            }

            /// Moves an item of the collection view.
            public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath, animated: Bool) {
                base?.moveItem(at: indexPath, to: newIndexPath)
            }

            /// Changes the collection view in one batch.
            public func performBatchUpdates(
                updates: @escaping @Sendable () -> Void, animated: Bool, completion: @escaping @Sendable () -> Void
            ) {
                guard let base else {
                    updates()
                    return completion()
                }
                if animated {
                    base.animator().performBatchUpdates(updates, completionHandler: { _ in completion() })
                } else {
                    NSAnimationContext.runAnimationGroup { context in
                        context.duration = 0
                        base.performBatchUpdates(updates, completionHandler: { _ in completion() })
                    }
                }
            }

            /// Reloads the collection view.
            public func reloadData() { base?.reloadData() }
        }
    }
#endif
