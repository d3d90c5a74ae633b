import AppKit
import Coffer
import CofferDataSources

// snippet: items
final class PeopleController: NSViewController {
    private let collectionView = NSCollectionView()
    private let people = Globals.dataStack.publishList(From<Person>().orderBy(.ascending(\.$name)))
    private var dataSource: DiffableDataSource.CollectionViewAdapter<Person>?

    override func viewDidLoad() {
        super.viewDidLoad()
        dataSource = DiffableDataSource.CollectionViewAdapter<Person>(
            collectionView: collectionView,
            dataStack: Globals.dataStack,
            itemProvider: { collectionView, indexPath, person in
                let item = collectionView.makeItem(
                    withIdentifier: NSUserInterfaceItemIdentifier("PersonItem"), for: indexPath)
                item.textField?.stringValue = person.name
                return item
            }
        )
        people.addObserver(self, notifyInitial: true) { [weak self] people in
            self?.dataSource?.apply(people.snapshot, animatingDifferences: true)
        }
    }
}
// end
