#if canImport(UIKit) && !os(watchOS)
    public import CofferSchema
    public import CofferTransactions
    public import Foundation
    public import UIKit

    /// Adds the data source of a `UICollectionView`, which shows the snapshots of a list.
    extension DiffableDataSource {
        /// The data source of a collection view that shows the snapshots of a list.
        ///
        /// ```swift
        /// dataSource = DiffableDataSource.CollectionViewAdapter<Person>(
        ///     collectionView: collectionView,
        ///     dataStack: stack,
        ///     cellProvider: { collectionView, indexPath, person in
        ///         let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "PersonCell", for: indexPath)
        ///         (cell as? PersonCell)?.show(person)
        ///         return cell
        ///     }
        /// )
        /// people.addObserver(self, notifyInitial: true) { [weak self] people in
        ///     self?.dataSource.apply(people.snapshot)
        /// }
        /// ```
        ///
        /// Keep the adapter for as long as the collection view, because the collection view does not keep it. If an
        /// object was deleted after the snapshot was taken, its cell is empty. To change an answer, override the method
        /// of `UICollectionViewDataSource`.
        open class CollectionViewAdapter<O: DynamicObject>: BaseAdapter<
            O, DefaultCollectionViewTarget<UICollectionView>
        >,
        UICollectionViewDataSource
        {
            private let cellProvider: (UICollectionView, IndexPath, O) -> UICollectionViewCell?
            private let supplementaryViewProvider: (UICollectionView, String, IndexPath) -> UICollectionReusableView?

            /// Creates an adapter, which becomes the data source of a collection view.
            ///
            /// - Parameters:
            ///   - collectionView: the collection view. The adapter does not keep it alive.
            ///   - dataStack: the data stack of the objects, whose view queue is the main queue.
            ///   - cellProvider: returns the cell of an object; if it returns nil, the cell is empty.
            ///   - supplementaryViewProvider: returns a supplementary view of a kind; if it returns nil, the view is
            ///     empty.
            public init(
                collectionView: UICollectionView, dataStack: DataStack,
                cellProvider: @escaping (UICollectionView, IndexPath, O) -> UICollectionViewCell?,
                supplementaryViewProvider:
                    @escaping (UICollectionView, String, IndexPath) -> UICollectionReusableView? = { _, _, _ in nil }
            ) {
                self.cellProvider = cellProvider
                self.supplementaryViewProvider = supplementaryViewProvider
                super.init(target: DefaultCollectionViewTarget(collectionView), dataStack: dataStack)
                collectionView.dataSource = self
            }

            // MARK: UICollectionViewDataSource

            /// The number of sections.
            public func numberOfSections(in collectionView: UICollectionView) -> Int { numberOfSections() }

            /// The number of items in a section.
            public func collectionView(
                _ collectionView: UICollectionView, numberOfItemsInSection section: Int
            ) -> Int {
                numberOfItems(inSection: section) ?? 0
            }

            /// The cell of the provider.
            open func collectionView(
                _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
            ) -> UICollectionViewCell {
                if let cell = view(at: indexPath, { cellProvider(collectionView, indexPath, $0) }) { return cell }
                // A collection view accepts only cells that it created.
                collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: emptyIdentifier)
                return collectionView.dequeueReusableCell(withReuseIdentifier: emptyIdentifier, for: indexPath)
            }

            /// The view of the provider of supplementary views.
            open func collectionView(
                _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
                at indexPath: IndexPath
            ) -> UICollectionReusableView {
                if let view = answering({ supplementaryViewProvider(collectionView, kind, indexPath) }) { return view }
                collectionView.register(
                    UICollectionReusableView.self, forSupplementaryViewOfKind: kind,
                    withReuseIdentifier: emptyIdentifier)
                return collectionView.dequeueReusableSupplementaryView(
                    ofKind: kind, withReuseIdentifier: emptyIdentifier, for: indexPath)
            }

            private var emptyIdentifier: String { "coffer.empty" }
        }

        /// The former name of the adapter.
        @available(*, deprecated, renamed: "CollectionViewAdapter")
        public typealias CollectionView = CollectionViewAdapter
    }
#endif
