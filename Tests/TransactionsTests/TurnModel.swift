import Coffer
import Dispatch
import Foundation
import TestSupport

/// The model of the tests of turns: each commit adds one entry to a journal and writes its number.
final class Journal: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Stored("text") var text: String = ""
    @Field.Relationship("entries", inverse: \.$journal) var entries: Set<JournalEntry>
}

final class JournalEntry: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Relationship("journal") var journal: Journal?
}

extension Journal {
    static let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Journal>("Journal"), Entity<JournalEntry>("JournalEntry")])

    /// A stack with an empty journal.
    static func stack(_ backend: TestBackend, viewQueue: DispatchQueue = .main) throws -> TestStack {
        let test = try TestStack(backend, schema, viewQueue: viewQueue)
        try test.stack.perform(synchronous: { _ = $0.create(Into<Journal>()) })
        return test
    }

    /// Adds an entry and returns the new number of entries.
    @discardableResult
    static func append(in transaction: some FetchableSource & BaseDataTransaction) throws -> Int {
        guard let journal = try transaction.fetchOne(From<Journal>()) else { return -1 }
        journal.number += 1
        journal.text = "entry \(journal.number)"
        let entry = transaction.create(Into<JournalEntry>())
        entry.number = journal.number
        entry.journal = journal
        return journal.number
    }
}

/// The values of a stack's journal, read in every possible way.
///
/// All numbers are equal if the values belong to one commit.
struct JournalView: Equatable {
    var numbers: [Int]

    init(_ stack: DataStack, holding journal: Journal? = nil) {
        var numbers: [Int] = []
        let found = try? stack.fetchOne(From<Journal>())
        numbers.append(found?.number ?? -1)
        numbers.append((try? stack.fetchCount(From<JournalEntry>())) ?? -1)
        numbers.append(found?.entries.count ?? -1)
        numbers.append(
            (try? stack.queryValue(From<JournalEntry>(), Select<JournalEntry, Int>(.maximum(\.$number)))) ?? 0)
        numbers.append((try? stack.fetchAll(From<JournalEntry>()).map(\.number).max()) ?? 0)
        if let journal {
            numbers += [journal.number, journal.entries.count]
            numbers.append(journal.text == (journal.number == 0 ? "" : "entry \(journal.number)") ? journal.number : -1)
        }
        self.numbers = numbers
    }

    /// The number of the last commit that the stack shows; nil if the values belong to different commits.
    var number: Int? { Set(numbers).count == 1 ? numbers[0] : nil }
}

extension DataStack {
    /// Appends to the journal on another thread, and waits until the entry is stored, but not for the view.
    func appendElsewhere(times: Int = 1) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for _ in 0..<times {
                _ = try? self.perform(synchronous: { try Journal.append(in: $0) }, waitForAllObservers: false)
            }
            done.signal()
        }
        done.wait()
    }

    /// Blocks the current thread until every requested transaction is stored.
    func waitForWriter() {
        let done = DispatchSemaphore(value: 0)
        perform(asynchronous: { _ in done.signal() }, completion: { _ in })
        done.wait()
    }
}

extension DispatchQueue {
    /// Waits until the blocks that are already in the queue have run.
    func drained() async {
        await withCheckedContinuation { continuation in async { continuation.resume() } }
    }
}
