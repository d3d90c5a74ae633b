import Coffer
import CofferStorage
import Foundation

/// A process that opens, fills, migrates, recreates and erases a store in a place that it shares with others.
///
/// While this process has the store open, no other process may delete a transaction that this process has saved.
struct Sharer {
    private enum Version: CaseIterable {
        /// The first version only; a store that has the second version refuses it.
        case first
        /// The first version, which erases a store that has the second version.
        case recreating
        /// The second version, which migrates a store that has the first version.
        case second
    }

    let url: String
    let number: Int
    let visits: Int
    /// Whether the process erases and recreates stores.
    let isDestructive: Bool
    private var random: SeededGenerator
    private var count = 0

    /// Whether an option of the storage recreates the store; only files have this option.
    private var recreates: Bool { isDestructive && url.hasPrefix("sqlite:") }

    init(url: String, number: Int, seed: UInt64, visits: Int, isDestructive: Bool) {
        self.url = url
        self.number = number
        self.visits = visits
        self.isDestructive = isDestructive
        random = SeededGenerator(seed: seed)
    }

    mutating func run() {
        for _ in 0..<visits {
            if isDestructive, Int.random(in: 0..<4, using: &random) == 0 { erase() }
            let version = Version.allCases.randomElement(using: &random) ?? .first
            do {
                try use(version == .recreating && !recreates ? .first : version)
            } catch {
                Worker.say("unopened \(Self.code(error))")
            }
        }
    }

    private func erase() {
        Worker.say("erasing \(number)")
        do {
            try Shop.storage(url).erase()
            Worker.say("erased 1")
        } catch {
            // A disk error may occur after the store was erased.
            let isRefused = ["busy", "schemaMismatch", "conflict"].contains(Worker.code(error))
            Worker.say("erased \(isRefused ? 0 : 1)")
            Worker.say("standing \(Self.code(error))")
        }
    }

    private mutating func use(_ version: Version) throws {
        let stack = try open(version)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        var mine: Set<Int> = []
        var store: Int?
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            count += 1
            let mark = number * 1_000_000 + count
            let seed = random.next()
            Worker.say("begun \(mark)")
            do {
                let found = try stack.perform(
                    synchronous: { [mine, store] transaction in
                        var random = SeededGenerator(seed: seed)
                        let marks = Set(try transaction.fetchAll(From<Mark>()).map(\.number))
                        let found = try Self.store(transaction)
                        guard marks.isSuperset(of: mine), store == nil || found == store else {
                            throw Failure("\(found ?? 0)")
                        }
                        _ = try Worker.change(transaction, mark, nil, &random)
                        return try Self.store(transaction)
                    }, options: TransactionOptions(isolation: .serializable, repeatable: .upTo(50)))
                guard let found else { throw Failure("A transaction found no first transaction of the store.") }
                mine.insert(mark)
                store = found
                Worker.say("saved \(mark) \(found)")
            } catch CoreStoreError.userError(let failure as Failure) {
                Worker.say("lost \(mine.sorted()) of store \(store ?? 0), found store \(failure)")
            } catch {
                let isUnknown = (error as? CoreStoreError)?.storageError?.code == .unknownOutcome
                Worker.say("\(isUnknown ? "unknown" : "refused") \(mark) \(Self.code(error))")
            }
        }
    }

    /// Returns the error's code, with message and cause if the code does not result from sharing a place.
    private static func code(_ error: any Error) -> String {
        let code = Worker.code(error)
        if ["busy", "schemaMismatch", "conflict", "unknownOutcome"].contains(code) { return code }
        let failure = (error as? CoreStoreError)?.storageError ?? error as? StorageError
        return "\(error), \(failure?.cause ?? "no cause")".replacingOccurrences(of: "\n", with: " ")
    }

    /// Returns the number of the first transaction in the store; nil if there was none.
    private static func store(_ transaction: SynchronousDataTransaction) throws -> Int? {
        let all = try transaction.fetchAll(From<Beginning>()).map(\.number)
        guard all.count < 2 else { throw Failure("A store began \(all.count) times.") }
        return all.first
    }

    private func open(_ version: Version) throws -> DataStack {
        switch version {
        case .first: return try Shop.stack(url)
        case .second: return try Shop.migratedStack(url)
        case .recreating:
            let before = SilentLogger.recreations.withLock { $0 }
            Worker.say("erasing \(number)")
            defer { Worker.say("erased \(SilentLogger.recreations.withLock { $0 } - before)") }
            return try Shop.stack(url + (url.contains("?") ? "&" : "?") + "recreate=true")
        }
    }
}
