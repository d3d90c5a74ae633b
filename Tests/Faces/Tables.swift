import Coffer
import CofferDataSources
import UIKit

// snippet: table
final class PeopleController: UITableViewController {
    private let people = Globals.dataStack.publishList(From<Person>().orderBy(.ascending(\.$name)))
    private lazy var dataSource = DiffableDataSource.TableViewAdapter<Person>(
        tableView: tableView,
        dataStack: Globals.dataStack,
        cellProvider: { tableView, indexPath, person in
            let cell = tableView.dequeueReusableCell(withIdentifier: "PersonCell", for: indexPath)
            cell.textLabel?.text = person.name
            return cell
        }
    )

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "PersonCell")
        people.addObserver(self, notifyInitial: true) { [weak self] people in
            self?.dataSource.apply(people.snapshot, animatingDifferences: true)
        }
    }
}
// end

// snippet: editing
final class EditableAdapter: DiffableDataSource.TableViewAdapter<Person> {
    override func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {
        guard editingStyle == .delete, let id = itemID(for: indexPath) else { return }
        dataStack.perform(
            asynchronous: { transaction in transaction.delete(objectIDs: [id]) },
            completion: { _ in })
    }

    override func sectionIndexTitles(for tableView: UITableView) -> [String]? {
        sectionIndexTitlesForAllSections().compactMap { $0 }
    }
}
// end

final class PersonCell: UICollectionViewCell {
    func setPerson(_ person: Person) {}
}

/// A controller as in CoreStore's readme.
final class CollectionController: UICollectionViewController {
    var dataSource: DiffableDataSource.CollectionViewAdapter<Person>?
    let listPublisher = Globals.dataStack.publishList(From<Person>().orderBy(.ascending(\.$name)))

    override func viewDidLoad() {
        super.viewDidLoad()
        self.dataSource = DiffableDataSource.CollectionViewAdapter<Person>(
            collectionView: self.collectionView,
            dataStack: CoreStoreDefaults.dataStack,
            cellProvider: { (collectionView, indexPath, person) in
                let cell =
                    collectionView.dequeueReusableCell(withReuseIdentifier: "PersonCell", for: indexPath) as! PersonCell
                cell.setPerson(person)
                return cell
            }
        )
        listPublisher.addObserver(self) { [weak self] (listPublisher) in
            self?.dataSource?.apply(
                listPublisher.snapshot, animatingDifferences: true
            )
        }
    }
}

/// An override of the adapter's apply, as in CoreStore's documentation.
final class ComposedAdapter: DiffableDataSource.CollectionViewAdapter<Person> {
    override func apply(
        _ snapshot: ListSnapshot<Person>, animatingDifferences: Bool = true, completion: @escaping () -> Void = {}
    ) {
        var composed = makeEmptySnapshot()
        composed.appendSections(withIDs: ["all"])
        composed.appendItems(withIDs: snapshot.itemIDs, toSectionWithID: "all")
        super.apply(composed, animatingDifferences: animatingDifferences, completion: completion)
    }
}

/// A target with the methods that CoreStore 8 declares.
struct LegacyTarget: DiffableDataSource.Target {
    weak var base: UITableView?
    var shouldSuspendBatchUpdates: Bool { base?.window == nil }
    func deleteSections(at indices: IndexSet, animated: Bool) {}
    func insertSections(at indices: IndexSet, animated: Bool) {}
    func reloadSections(at indices: IndexSet, animated: Bool) {}
    func moveSection(at index: IndexSet.Element, to newIndex: IndexSet.Element, animated: Bool) {}
    func deleteItems(at indexPaths: [IndexPath], animated: Bool) {}
    func insertItems(at indexPaths: [IndexPath], animated: Bool) {}
    func reloadItems(at indexPaths: [IndexPath], animated: Bool) {}
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath, animated: Bool) {}
    func performBatchUpdates(updates: () -> Void, animated: Bool, completion: @escaping () -> Void) {
        updates()
        completion()
    }
    func reloadData() { base?.reloadData() }
}

#if !swift(>=6)
    /// In Swift 5 mode a class that names no actor may use an adapter, as with CoreStore.
    final class Presenter {
        var dataSource: DiffableDataSource.TableViewAdapter<Person>?
        let people: ListPublisher<Person>

        init(_ people: ListPublisher<Person>) {
            self.people = people
            people.addObserver(self) { [weak self] people in
                self?.dataSource?.apply(people.snapshot, animatingDifferences: false)
            }
        }

        func clear() { dataSource?.purge() }
    }
#endif
