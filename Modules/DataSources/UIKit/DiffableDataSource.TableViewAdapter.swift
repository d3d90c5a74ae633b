#if canImport(UIKit) && !os(watchOS)
    public import CofferSchema
    public import CofferTransactions
    public import Foundation
    public import UIKit

    /// Adds the data source of a `UITableView`, which shows the snapshots of a list.
    extension DiffableDataSource {
        /// The data source of a table view that shows the snapshots of a list.
        ///
        /// ```swift
        /// dataSource = DiffableDataSource.TableViewAdapter<Person>(
        ///     tableView: tableView,
        ///     dataStack: stack,
        ///     cellProvider: { tableView, indexPath, person in
        ///         let cell = tableView.dequeueReusableCell(withIdentifier: "PersonCell", for: indexPath)
        ///         cell.textLabel?.text = person.name
        ///         return cell
        ///     }
        /// )
        /// people.addObserver(self, notifyInitial: true) { [weak self] people in
        ///     self?.dataSource.apply(people.snapshot)
        /// }
        /// ```
        ///
        /// Keep the adapter for as long as the table view, because the table view does not keep it. The headers of
        /// sections are their names. If an object was deleted after the snapshot was taken, its cell is empty. To
        /// change an answer, override the method of `UITableViewDataSource`.
        open class TableViewAdapter<O: DynamicObject>: BaseAdapter<O, DefaultTableViewTarget<UITableView>>,
            UITableViewDataSource
        {
            private let cellProvider: (UITableView, IndexPath, O) -> UITableViewCell?

            /// Creates an adapter, which becomes the data source of a table view.
            ///
            /// - Parameters:
            ///   - tableView: the table view. The adapter does not keep it alive.
            ///   - dataStack: the data stack of the objects, whose view queue is the main queue.
            ///   - cellProvider: returns the cell of an object; if it returns nil, the cell is empty.
            public init(
                tableView: UITableView, dataStack: DataStack,
                cellProvider: @escaping (UITableView, IndexPath, O) -> UITableViewCell?
            ) {
                self.cellProvider = cellProvider
                super.init(target: DefaultTableViewTarget(tableView), dataStack: dataStack)
                tableView.dataSource = self
            }

            /// The table view; nil after it was deallocated.
            public var tableView: UITableView? { target.base }

            // MARK: UITableViewDataSource

            /// The number of sections.
            public func numberOfSections(in tableView: UITableView) -> Int { numberOfSections() }

            /// The number of items in a section.
            public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
                numberOfItems(inSection: section) ?? 0
            }

            /// The name of a section.
            open func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
                sectionID(for: section)
            }

            /// Returns nil.
            open func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { nil }

            /// The cell of the provider.
            open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
                view(at: indexPath) { cellProvider(tableView, indexPath, $0) } ?? UITableViewCell()
            }

            /// Returns true.
            open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { true }

            /// Returns `delete`, for subclasses that are also the delegate of the table view.
            #if canImport(ObjectiveC)
                @objc(tableView:editingStyleForRowAtIndexPath:)
            #endif
            open func tableView(
                _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
            ) -> UITableViewCell.EditingStyle {
                .delete
            }

            /// Does nothing; override it to delete the object in a transaction.
            open func tableView(
                _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
                forRowAt indexPath: IndexPath
            ) {}

            /// Returns nil; override it to return ``sectionIndexTitlesForAllSections()``.
            open func sectionIndexTitles(for tableView: UITableView) -> [String]? { nil }

            /// The section with the index of the title.
            open func tableView(
                _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
            ) -> Int {
                index
            }
        }

        /// The former name of the adapter.
        @available(*, deprecated, renamed: "TableViewAdapter")
        public typealias TableView = TableViewAdapter
    }
#endif
