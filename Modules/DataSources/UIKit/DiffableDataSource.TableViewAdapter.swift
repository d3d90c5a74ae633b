#if canImport(UIKit) && !os(watchOS)
    public import CofferSchema
    public import CofferTransactions
    public import Foundation
    public import UIKit

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
        /// Keep it as long as the table view, which does not keep it. The headers of sections are their names. A row whose
        /// object was deleted after the snapshot was taken has an empty cell. Override the methods of `UITableViewDataSource`
        /// that should answer otherwise.
        open class TableViewAdapter<O: DynamicObject>: BaseAdapter<O, DefaultTableViewTarget<UITableView>>,
            UITableViewDataSource
        {
            private let cellProvider: (UITableView, IndexPath, O) -> UITableViewCell?

            /// Becomes the data source of a table view.
            ///
            /// - Parameters:
            ///   - tableView: not kept alive.
            ///   - dataStack: the data stack of the objects, whose view queue is the main queue.
            ///   - cellProvider: makes the cell of an object; nil makes an empty one.
            public init(
                tableView: UITableView, dataStack: DataStack,
                cellProvider: @escaping (UITableView, IndexPath, O) -> UITableViewCell?
            ) {
                self.cellProvider = cellProvider
                super.init(target: DefaultTableViewTarget(tableView), dataStack: dataStack)
                tableView.dataSource = self
            }

            /// The table view; nil once it is deallocated.
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

            /// Nothing.
            open func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { nil }

            /// The cell that the provider makes.
            open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
                view(at: indexPath) { cellProvider(tableView, indexPath, $0) } ?? UITableViewCell()
            }

            /// True.
            open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { true }

            /// Deletion, for a subclass that is the delegate of the table view, too.
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

            /// Nothing; override it to return ``sectionIndexTitlesForAllSections()``.
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
