#if canImport(AppKit) && !canImport(UIKit)
    public import AppKit
    public import CofferSchema
    public import CofferTransactions

    /// Adds the data source of an `NSCollectionView`, which shows the snapshots of a list.
    extension DiffableDataSource {
        /// The data source of a collection view that shows the snapshots of a list.
        ///
        /// ```swift
        /// dataSource = DiffableDataSource.CollectionViewAdapter<Person>(
        ///     collectionView: collectionView,
        ///     dataStack: stack,
        ///     itemProvider: { collectionView, indexPath, person in
        ///         let item = collectionView.makeItem(withIdentifier: .person, for: indexPath)
        ///         item.textField?.stringValue = person.name
        ///         return item
        ///     }
        /// )
        /// people.addObserver(self, notifyInitial: true) { [weak self] people in
        ///     self?.dataSource.apply(people.snapshot)
        /// }
        /// ```
        ///
        /// Keep the adapter for as long as the collection view, because the collection view does not keep it. If an
        /// object was deleted after the snapshot was taken, its item is empty. To change an answer, override the method
        /// of `NSCollectionViewDataSource`.
        open class CollectionViewAdapter<O: DynamicObject>: BaseAdapter<
            O, DefaultCollectionViewTarget<NSCollectionView>
        >,
        NSCollectionViewDataSource
        {
            private let itemProvider: (NSCollectionView, IndexPath, O) -> NSCollectionViewItem?
            private let supplementaryViewProvider: (NSCollectionView, String, IndexPath) -> NSView?

            /// Creates an adapter, which becomes the data source of a collection view.
            ///
            /// - Parameters:
            ///   - collectionView: the collection view. The adapter does not keep it alive.
            ///   - dataStack: the data stack of the objects, whose view queue is the main queue.
            ///   - itemProvider: returns the item of an object; if it returns nil, the item is empty.
            ///   - supplementaryViewProvider: returns a supplementary view of a kind; if it returns nil, the view is
            ///     empty.
            public init(
                collectionView: NSCollectionView, dataStack: DataStack,
                itemProvider: @escaping (NSCollectionView, IndexPath, O) -> NSCollectionViewItem?,
                supplementaryViewProvider:
                    @escaping (NSCollectionView, String, IndexPath) -> NSView? = { _, _, _ in nil }
            ) {
                self.itemProvider = itemProvider
                self.supplementaryViewProvider = supplementaryViewProvider
                super.init(target: DefaultCollectionViewTarget(collectionView), dataStack: dataStack)
                collectionView.dataSource = self
            }

            // MARK: NSCollectionViewDataSource

            /// The number of sections.
            public func numberOfSections(in collectionView: NSCollectionView) -> Int { numberOfSections() }

            /// The number of items in a section.
            public func collectionView(
                _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
            ) -> Int {
                numberOfItems(inSection: section) ?? 0
            }

            /// The item of the provider.
            open func collectionView(
                _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
            ) -> NSCollectionViewItem {
                if let item = view(at: indexPath, { itemProvider(collectionView, indexPath, $0) }) { return item }
                let empty = NSCollectionViewItem()
                // Without a view of its own, the item would look for a nib file.
                empty.view = NSView()
                return empty
            }

            /// The view of the provider of supplementary views.
            open func collectionView(
                _ collectionView: NSCollectionView,
                viewForSupplementaryElementOfKind kind: NSCollectionView.SupplementaryElementKind,
                at indexPath: IndexPath
            ) -> NSView {
                answering { supplementaryViewProvider(collectionView, kind, indexPath) } ?? NSView()
            }
        }
    }
#endif
