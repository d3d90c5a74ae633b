import AppKit
import Coffer
import CofferDataSources

// A collection view that records the requests to it.

var asked: [String] = []

func text(_ paths: Set<IndexPath>) -> String { paths.sorted().map { "\($0[0]).\($0[1])" }.joined(separator: ",") }

final class Grid: NSCollectionView {
    let place = NSWindow()
    override var window: NSWindow? { place }
    override func reloadData() {
        asked.append("reload")
        _ = dataSource?.numberOfSections(in: self)
    }
    override func performBatchUpdates(_ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil) {
        updates?()
        completionHandler?(true)
    }
    override func insertItems(at indexPaths: Set<IndexPath>) { asked.append("+\(text(indexPaths))") }
    override func deleteItems(at indexPaths: Set<IndexPath>) { asked.append("-\(text(indexPaths))") }
    override func reloadItems(at indexPaths: Set<IndexPath>) { asked.append("~\(text(indexPaths))") }
    override func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        asked.append("\(text([indexPath]))>\(text([newIndexPath]))")
    }
}

let stack = try DataStack.people("Bob", "Cat")
let people = stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
let grid = Grid()
var names: [String] = []
let source = DiffableDataSource.CollectionViewAdapter<Person>(
    collectionView: grid, dataStack: stack,
    itemProvider: { _, _, person in
        names.append(person.name)
        return person.age == 1 ? NSCollectionViewItem() : nil
    })
source.apply(people.snapshot)
try stack.add("Ann", age: 2)
try stack.rename("Bob", to: "Dan")
source.apply(people.snapshot)
try stack.remove("Cat")
let log = Checks.recordWarnings()
_ = source.collectionView(grid, itemForRepresentedObjectAt: [0, 1])
source.apply(people.snapshot, animatingDifferences: false)
Checks.expect(asked, ["reload", "+0.0", "0.0>0.2", "~0.2", "-0.1"])
Checks.expect(source.numberOfSections(in: grid), 1)
Checks.expect(source.collectionView(grid, numberOfItemsInSection: 0), 2)
for item in 0..<2 { _ = source.collectionView(grid, itemForRepresentedObjectAt: [0, item]) }
Checks.expect(names, ["Ann", "Dan"])
Checks.expect(
    log.warnings,
    [
        "'Person' at [0, 1] was deleted after the snapshot. The cell is empty. Apply a newer snapshot.",
        "The provider returned nil for 'Person' at [0, 0]. The cell is empty.",
    ])
_ = source.collectionView(grid, viewForSupplementaryElementOfKind: "header", at: [0, 0])
Checks.end()
