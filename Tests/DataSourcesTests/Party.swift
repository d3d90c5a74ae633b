import Coffer
import CofferDataSources
import TestSupport

/// A board that shows a list of guests, commit by commit.
@MainActor
final class Party {
    let test: TestStack
    let board = Board()
    let adapter: Board.Adapter
    let list: ListPublisher<Guest>
    var animates = true

    var stack: DataStack { test.stack }

    init(_ list: (DataStack) -> ListPublisher<Guest> = { $0.publishList(Guest.seated) }) throws {
        test = try TestStack(.memory, Guest.schema)
        self.list = list(test.stack)
        adapter = DiffableDataSource.BaseAdapter(target: board, dataStack: test.stack)
        board.adapter = adapter
        board.layOut()
    }

    /// Applies each snapshot of the list from now on.
    func begin() {
        list.addObserver(self) { [weak self] list in
            guard let self else { return }
            adapter.apply(list.snapshot, animatingDifferences: animates)
        }
    }

    /// The requests to the board since the last read of this property.
    var asked: [String] {
        defer { board.transcript = [] }
        return board.transcript
    }

    /// The content of the board, such as "red: Ann Bob, blue: Cat".
    var shown: String {
        board.sections.map { section in
            let names = section.ids.map { (stack.fetchExisting($0) as Guest?)?.name ?? "?" }
            return "\(section.name): \(names.joined(separator: " "))"
        }.joined(separator: ", ")
    }
}
