import CofferDataSources
import CofferStorage
import Foundation
import Testing

/// A view that changes only as its adapter requests.
///
/// The view checks the answers of the adapter, as UIKit does.
@MainActor
final class Board: DiffableDataSource.Target {
    typealias Adapter = DiffableDataSource.BaseAdapter<Guest, Board>

    weak var adapter: Adapter?
    /// The requests to the view, such as "batch +0.1" and "reload".
    var transcript: [String] = []
    /// The sections and items that the view shows.
    private(set) var sections: [(name: String, ids: [ObjectID])] = []
    private(set) var animations: Set<Bool> = []

    var isOnScreen = true
    /// Whether the view reads its items as soon as it must reload, and not only at its layout.
    var asksAtOnce = true
    /// A closure that is called in each batch, after the changes of the batch.
    var onBatch: (() -> Void)?
    /// Whether batches run their updates.
    var runsUpdates = true
    /// Completions to call later; nil if the view calls each completion immediately.
    var completions: [@Sendable () -> Void]?

    private var changes = Changes()

    private struct Changes {
        var text: [String] = []
        var goneSections = IndexSet()
        var newSections = IndexSet()
        var movedSections: [(Int, Int)] = []
        var goneItems: [IndexPath] = []
        var newItems: [IndexPath] = []
        var movedItems: [(IndexPath, IndexPath)] = []
    }

    var shouldSuspendBatchUpdates: Bool {
        isOnMain()
        return !isOnScreen
    }

    /// Reads all sections and items, as a view does at its layout.
    func layOut() {
        sections = asked()
    }

    private func asked() -> [(name: String, ids: [ObjectID])] {
        guard let adapter else { return [] }
        return (0..<adapter.numberOfSections()).map { section in
            let count = adapter.numberOfItems(inSection: section) ?? -1
            return (
                adapter.sectionID(for: section) ?? "?", (0..<count).compactMap { adapter.itemID(for: [section, $0]) }
            )
        }
    }

    private func isOnMain() {
        dispatchPrecondition(condition: .onQueue(.main))
    }

    private func note(_ text: String, _ animated: Bool) {
        isOnMain()
        changes.text.append(text)
        animations.insert(animated)
    }

    func deleteSections(at indices: IndexSet, animated: Bool) {
        note("-\(indices.map(String.init).joined(separator: ","))", animated)
        changes.goneSections.formUnion(indices)
    }

    func insertSections(at indices: IndexSet, animated: Bool) {
        note("+\(indices.map(String.init).joined(separator: ","))", animated)
        changes.newSections.formUnion(indices)
    }

    func reloadSections(at indices: IndexSet, animated: Bool) { note("section reloaded", animated) }

    func moveSection(at index: Int, to newIndex: Int, animated: Bool) {
        note("\(index)>\(newIndex)", animated)
        changes.movedSections.append((index, newIndex))
    }

    func deleteItems(at indexPaths: [IndexPath], animated: Bool) {
        note("-\(text(indexPaths))", animated)
        changes.goneItems += indexPaths
    }

    func insertItems(at indexPaths: [IndexPath], animated: Bool) {
        note("+\(text(indexPaths))", animated)
        changes.newItems += indexPaths
    }

    func reloadItems(at indexPaths: [IndexPath], animated: Bool) { note("~\(text(indexPaths))", animated) }

    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath, animated: Bool) {
        note("\(text([indexPath]))>\(text([newIndexPath]))", animated)
        changes.movedItems.append((indexPath, newIndexPath))
    }

    func performBatchUpdates(
        updates: @escaping @Sendable () -> Void, animated: Bool, completion: @escaping @Sendable () -> Void
    ) {
        isOnMain()
        #expect(asked().map(\.name) == sections.map(\.name), "The list changed before the batch.")
        #expect(asked().map(\.ids) == sections.map(\.ids), "The list changed before the batch.")
        changes = Changes()
        if runsUpdates { updates() }
        onBatch?()
        transcript.append("batch \(changes.text.joined(separator: " "))")
        if runsUpdates { applyChanges() }
        if completions == nil { completion() } else { completions?.append(completion) }
    }

    func reloadData() {
        isOnMain()
        transcript.append("reload")
        if asksAtOnce { layOut() }
    }

    private func text(_ paths: [IndexPath]) -> String {
        paths.map { "\($0[0]).\($0[1])" }.joined(separator: ",")
    }

    private func applyChanges() {
        let new = asked()
        var rest = sections
        for path in (changes.goneItems + changes.movedItems.map(\.0)).sorted().reversed() {
            rest[path[0]].ids.remove(at: path[1])
        }
        let moved = changes.movedSections.map { (rest[$0.0], $0.1) }
        for index in (changes.goneSections.map { $0 } + changes.movedSections.map(\.0)).sorted().reversed() {
            rest.remove(at: index)
        }
        // A new section is empty and has the name that the adapter returns.
        let arriving = changes.newSections.map { ((name: new[$0].name, ids: [ObjectID]()), $0) } + moved
        for (section, index) in arriving.sorted(by: { $0.1 < $1.1 }) { rest.insert(section, at: index) }
        let items =
            changes.newItems.map { (new[$0[0]].ids[$0[1]], $0) }
            + changes.movedItems.map { (sections[$0.0[0]].ids[$0.0[1]], $0.1) }
        for (id, path) in items.sorted(by: { $0.1 < $1.1 }) { rest[path[0]].ids.insert(id, at: path[1]) }
        sections = rest
        #expect(sections.map(\.name) == new.map(\.name), "The steps do not produce the answers of the adapter.")
        #expect(sections.map(\.ids) == new.map(\.ids), "The steps do not produce the answers of the adapter.")
    }
}
