public import CofferObservation
public import CofferSchema
public import CofferStorage
public import CofferTransactions
public import Foundation

/// Adds the base class of data sources: `apply`, `purge`, item and section look-ups, and warnings for empty cells.
extension DiffableDataSource {
    /// A data source that updates a target from each snapshot to the next one.
    ///
    /// ```swift
    /// let adapter = DiffableDataSource.BaseAdapter<Person, BoardTarget>(
    ///     target: BoardTarget(board: board), dataStack: stack
    /// )
    /// people.addObserver(self) { people in
    ///     adapter.apply(people.snapshot)
    /// }
    /// ```
    ///
    /// It is the base class of the adapters for table views and collection views, and of your own adapters. Keep the
    /// adapter for as long as you use the view. The adapter always describes the last applied snapshot to the view,
    /// even after later commits.
    @preconcurrency @MainActor
    open class BaseAdapter<O: DynamicObject, T: Target>: NSObject {
        /// The class of the objects.
        public typealias ObjectType = O

        /// The view that shows the snapshots; the adapter keeps it alive.
        public let target: T
        /// The data stack of the objects.
        public let dataStack: DataStack

        private let dispatcher: Dispatcher<O, T>

        /// Creates an adapter that shows an empty list.
        ///
        /// - Parameter dataStack: the data stack of the objects. Its view queue must be the main queue, unless the
        ///   program uses only the ids of objects.
        public init(target: T, dataStack: DataStack) {
            self.target = target
            self.dataStack = dataStack
            dispatcher = Dispatcher(target, ListSnapshot(emptyIn: dataStack))
            super.init()
        }

        // MARK: Applying snapshots

        /// Shows an empty list.
        ///
        /// - Parameters:
        ///   - animatingDifferences: whether the view animates the changes.
        ///   - completion: called on the main queue when the view shows the empty list or a later list.
        open func purge(animatingDifferences: Bool = true, completion: @escaping () -> Void = {}) {
            dispatch(makeEmptySnapshot(), animatingDifferences, completion)
        }

        /// Shows a snapshot.
        ///
        /// ```swift
        /// people.addObserver(self) { [weak self] people in
        ///     self?.dataSource.apply(people.snapshot, animatingDifferences: true)
        /// }
        /// ```
        ///
        /// The view receives the differences from the list that it shows, in stages. If the view is not on screen, it
        /// is reloaded instead, once for all snapshots that are applied before it asks for its items. While another
        /// snapshot is applied, or a cell is created, the snapshot waits. If several snapshots wait, only the last one
        /// is shown.
        ///
        /// Call this method on the main queue. If an object was deleted after the snapshot was taken, its cell is
        /// empty, and a warning is logged.
        ///
        /// - Parameters:
        ///   - animatingDifferences: whether the view animates the changes.
        ///   - completion: called on the main queue when the view shows the snapshot or a later snapshot.
        open func apply(
            _ snapshot: ListSnapshot<O>, animatingDifferences: Bool = true, completion: @escaping () -> Void = {}
        ) {
            dispatch(snapshot, animatingDifferences, completion)
        }

        /// Returns an empty snapshot, which an override of ``apply(_:animatingDifferences:completion:)`` can fill.
        public func makeEmptySnapshot() -> ListSnapshot<O> { ListSnapshot(emptyIn: dataStack) }

        private func dispatch(
            _ snapshot: ListSnapshot<O>, _ animated: Bool, _ completion: @escaping () -> Void
        ) {
            // Code that the compiler does not check, such as an observer in Swift 5 mode, may call this method from
            // another queue. Unsafe: the closure is passed to the main queue, and used only there.
            nonisolated(unsafe) let completion = completion
            MainQueue.run { [dispatcher] in
                dispatcher.apply(snapshot, animated: animated, completion: completion)
            }
        }

        // MARK: The list that the view shows

        /// The number of sections.
        public func numberOfSections() -> Int { dispatcher.answered.numberOfSections }

        /// The number of items in a section; nil if there is no such section.
        public func numberOfItems(inSection section: Int) -> Int? {
            let snapshot = dispatcher.answered
            guard section >= 0, section < snapshot.numberOfSections else { return nil }
            return snapshot.numberOfItems(inSectionIndex: section)
        }

        /// The name of a section; nil if there is no such section.
        public func sectionID(for section: Int) -> String? { dispatcher.answered.sectionID(at: section) }

        /// The id of the object at an index path of a section and an item; nil if there is no such item.
        public func itemID(for indexPath: IndexPath) -> ObjectID? { dispatcher.answered.itemID(at: indexPath) }

        /// The index path of an object; nil if it is not in the list.
        public func indexPath(for itemID: ObjectID) -> IndexPath? {
            dispatcher.answered.indexPath(ofItemWithID: itemID)
        }

        /// The title of a section that the `sectionIndexTransformer` of the `SectionBy` returned; nil if there is none.
        public func sectionIndexTitle(for section: Int) -> String? {
            dispatcher.answered.sectionIndexTitle(at: section)
        }

        /// The titles that the `sectionIndexTransformer` of the `SectionBy` returned, in the order of the sections.
        public func sectionIndexTitlesForAllSections() -> [String?] {
            (0..<numberOfSections()).map { sectionIndexTitle(for: $0) }
        }

        // MARK: For adapters

        /// Runs a provider of the program; a snapshot that is applied in the meantime waits.
        func answering<View>(_ make: () -> View?) -> View? { dispatcher.answering(make) }

        /// Makes a view from the object at an index path.
        ///
        /// - Returns: nil, with a warning in the log, if the object was deleted after the snapshot was taken, or if
        ///   `make` returns nil. The adapter then shows an empty cell.
        func view<View>(at indexPath: IndexPath, _ make: (O) -> View?) -> View? {
            let isOnMainQueue = MainQueue.isMain(dataStack.viewQueue)
            Diagnostics.assert(
                isOnMainQueue,
                "A view cannot show objects of a data stack whose view queue is not the main queue. Create the stack with "
                    + "'viewQueue: .main'.")
            guard isOnMainQueue else { return nil }
            guard let id = itemID(for: indexPath), let object = dataStack.fetchExisting(id) as O? else {
                Diagnostics.log(
                    .warning,
                    "'\(O.self)' at \(indexPath) was deleted after the snapshot. The cell is empty. Apply a newer snapshot."
                )
                return nil
            }
            guard let view = dispatcher.answering({ make(object) }) else {
                Diagnostics.log(
                    .warning, "The provider returned nil for '\(O.self)' at \(indexPath). The cell is empty.")
                return nil
            }
            return view
        }
    }
}
