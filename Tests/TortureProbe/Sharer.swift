import Coffer
import CofferStorage
import Foundation

/// A process that opens, fills, migrates, recreates and erases a store in a place that it shares with others.
///
/// While this process has the store open, no other process may delete a transaction that this process has saved.
struct Sharer {
    private enum Version: CaseIterable {
        /// Does not know the second version, and is refused by a store that has it.
        case first
        /// Erases a store that has the second version.
        case recreating
        /// Migrates a store that has the first version.
        case second
    }

    let url: String
    let number: Int
    let visits: Int
    /// Whether it erases and recreates.
    let isDestructive: Bool
    private var random: SeededGenerator
    private var count = 0

    /// Only files are recreated by an option of their storage.
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
            // An error of the disk may come after the erasing.
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
                guard let found else { throw Failure("A transaction found no beginning.") }
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

    /// The error's code, with the message and cause if sharing a place does not explain the code.
    private static func code(_ error: any Error) -> String {
        let code = Worker.code(error)
        if ["busy", "schemaMismatch", "conflict", "unknownOutcome"].contains(code) { return code }
        let failure = (error as? CoreStoreError)?.storageError ?? error as? StorageError
        return "\(error), \(failure?.cause ?? "no cause")".replacingOccurrences(of: "\n", with: " ")
    }

    /// The number of the first transaction in the store, if there was one.
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
