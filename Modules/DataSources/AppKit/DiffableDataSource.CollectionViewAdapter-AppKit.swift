#if canImport(AppKit) && !canImport(UIKit)
    public import AppKit
    public import CofferSchema
    public import CofferTransactions

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
        /// Keep it as long as the collection view, which does not keep it. An object that was deleted after the snapshot was
        /// taken has an empty item. Override the methods of `NSCollectionViewDataSource` that should answer otherwise.
        open class CollectionViewAdapter<O: DynamicObject>: BaseAdapter<
            O, DefaultCollectionViewTarget<NSCollectionView>
        >,
        NSCollectionViewDataSource
        {
            private let itemProvider: (NSCollectionView, IndexPath, O) -> NSCollectionViewItem?
            private let supplementaryViewProvider: (NSCollectionView, String, IndexPath) -> NSView?

            /// Becomes the data source of a collection view.
            ///
            /// - Parameters:
            ///   - collectionView: not kept alive.
            ///   - dataStack: the data stack of the objects, whose view queue is the main queue.
            ///   - itemProvider: makes the item of an object; nil makes an empty one.
            ///   - supplementaryViewProvider: makes a supplementary view of a kind; nil makes an empty one.
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

            /// The item that the provider makes.
            open func collectionView(
                _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
            ) -> NSCollectionViewItem {
                if let item = view(at: indexPath, { itemProvider(collectionView, indexPath, $0) }) { return item }
                let empty = NSCollectionViewItem()
                // Without a view of its own, the item would look for a nib file.
                empty.view = NSView()
                return empty
            }

            /// The view that the provider of supplementary views makes.
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
