import Coffer
import CofferDataSources
import UIKit

// A table view and a collection view that record the requests to them.

var asked: [String] = []

func text(_ paths: [IndexPath]) -> String { paths.map { "\($0[0]).\($0[1])" }.joined(separator: ",") }

final class Table: UITableView {
    var isShown = true
    let place = UIWindow()
    override var window: UIWindow? { isShown ? place : nil }
    override func reloadData() {
        asked.append("reload")
        layOut()
    }
    override func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        completion?(true)
    }
    override func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
        asked.append("+\(Array(sections)) \(animation)")
    }
    override func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
        asked.append("-\(Array(sections)) \(animation)")
    }
    override func moveSection(_ section: Int, toSection newSection: Int) { asked.append("\(section)>\(newSection)") }
    override func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        asked.append("+\(text(indexPaths)) \(animation)")
    }
    override func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        asked.append("-\(text(indexPaths)) \(animation)")
    }
    override func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        asked.append("~\(text(indexPaths)) \(animation)")
    }
    override func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        asked.append("\(text([indexPath]))>\(text([newIndexPath]))")
    }

    /// Reads the titles and rows from the data source, and returns their strings.
    @discardableResult
    func layOut() -> [String] {
        guard let dataSource else { return [] }
        return (0..<dataSource.numberOfSections(in: self)).flatMap { section in
            [dataSource.tableView(self, titleForHeaderInSection: section) ?? ""]
                + (0..<dataSource.tableView(self, numberOfRowsInSection: section)).map {
                    (dataSource.tableView(self, cellForRowAt: [section, $0]) as? Cell)?.name ?? "(empty)"
                }
        }
    }
}

final class Cell: UITableViewCell {
    var name = ""
}

let stack = try DataStack.people("Bob", "Cat")
let people = stack.publishList(From<Person>().sectionBy(\.$age).orderBy(.ascending(\.$age), .ascending(\.$name)))
let table = Table()
let source = DiffableDataSource.TableViewAdapter<Person>(tableView: table, dataStack: stack) { _, _, person in
    let cell = Cell()
    cell.name = person.name
    return cell
}
Checks.expect(table.dataSource === source, true)
Checks.expect(source.tableView === table, true)
source.apply(people.snapshot)
Checks.expect(asked, ["reload"])
Checks.expect(table.layOut(), ["1", "Bob", "Cat"])

asked = []
try stack.add("Ann", age: 2)
try stack.rename("Bob", to: "Dan")
var ends = 0
source.apply(people.snapshot) { ends += 1 }
Checks.expect(asked, ["+[1] automatic", "+1.0 automatic", "0.0>0.1", "~0.1 automatic"])
Checks.expect(ends, 1)
Checks.expect(table.layOut(), ["1", "Cat", "Dan", "2", "Ann"])

asked = []
let log = Checks.recordWarnings()
try stack.remove("Cat")
Checks.expect(table.layOut(), ["1", "(empty)", "Dan", "2", "Ann"])
Checks.expect(
    log.warnings,
    ["'Person' at [0, 0] was deleted after the snapshot. The cell is empty. Apply a newer snapshot."])
source.apply(people.snapshot, animatingDifferences: false)
Checks.expect(asked, ["-0.0 none"])
table.isShown = false
source.purge { ends += 1 }
Checks.expect(asked, ["-0.0 none", "reload"])
Checks.expect(ends, 2)
Checks.expect(source.tableView(table, canEditRowAt: [0, 0]), true)
Checks.expect(source.tableView(table, editingStyleForRowAt: [0, 0]), .delete)
Checks.expect(source.sectionIndexTitles(for: table) == nil, true)

final class Grid: UICollectionView {
    let place = UIWindow()
    override var window: UIWindow? { place }
    override func reloadData() { asked.append("reload") }
    override func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        completion?(true)
    }
    override func insertItems(at indexPaths: [IndexPath]) { asked.append("+\(text(indexPaths))") }
    override func deleteItems(at indexPaths: [IndexPath]) { asked.append("-\(text(indexPaths))") }
    override func reloadItems(at indexPaths: [IndexPath]) { asked.append("~\(text(indexPaths))") }
}

asked = []
var grid: Grid? = Grid()
let header = UICollectionReusableView()
if let view = grid {
    let named = stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
    let source = DiffableDataSource.CollectionViewAdapter<Person>(
        collectionView: view, dataStack: stack, cellProvider: { _, _, _ in UICollectionViewCell() },
        supplementaryViewProvider: { _, kind, _ in kind == "header" ? header : nil })
    source.apply(named.snapshot)
    Checks.expect(source.numberOfSections(in: view), 1)
    Checks.expect(source.collectionView(view, numberOfItemsInSection: 0), 2)
    try stack.add("Eve")
    source.apply(named.snapshot)
    Checks.expect(asked, ["reload", "+0.2"])
    _ = source.collectionView(view, cellForItemAt: [0, 2])
    Checks.expect(
        source.collectionView(view, viewForSupplementaryElementOfKind: "header", at: [0, 0]) === header, true)
    Checks.expect(
        source.collectionView(view, viewForSupplementaryElementOfKind: "footer", at: [0, 0]) === header, false)
    // A deallocated collection view receives no requests.
    grid = nil
}
Checks.end()
