import Coffer
import CofferCLibPQ
import CofferStorage
import Foundation

/// A test of lost commits, in which the server ends the connections of transactions at random.
enum Termination {
    private static let writers = 4

    private struct Outcome {
        var attempts = 0
        var saved: Set<Int> = []
        var refused: Set<Int> = []
        var unknown: Set<Int> = []
        var codes: [String: Int] = [:]
        var longest: Double = 0
    }

    /// Ends random connections of Coffer, except its own, until the flag is set.
    ///
    /// - Returns: the number of ended connections; 0 if it cannot connect.
    private static func terminate(_ url: String, until isDone: Locked<Bool>) -> Int {
        guard let connection = PQconnectdb(url) else { return 0 }
        defer { PQfinish(connection) }
        guard PQstatus(connection) == CONNECTION_OK else { return 0 }
        var count = 0
        while !isDone.withLock({ $0 }) {
            usleep(.random(in: 500..<20_000))
            let result = PQexec(
                connection,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'coffer' "
                    + "AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1")
            count += Int(PQntuples(result))
            PQclear(result)
        }
        return count
    }

    /// - Parameter server: the URL of the database, for libpq.
    static func run(_ url: String, server: String, _ count: Int) throws {
        try Place.fill(url)
        defer { try? Place.erase(url) }
        let stacks = try (0..<writers).map { _ in try Place.stack(url) }
        let (isDone, kills, outcome) = (Locked(false), Locked(0), Locked(Outcome()))
        let killing = thread {
            let count = terminate(server, until: isDone)
            kills.withLock { $0 = count }
        }
        let working = stacks.enumerated().map { index, stack in
            thread {
                for number in stride(from: index, to: count * 20, by: writers) {
                    // At least the requested number of transactions, and more until one has failed, because few
                    // transactions fail.
                    guard number < count || outcome.withLock({ $0.codes.isEmpty }) else { break }
                    attempt(number, stack, outcome)
                }
            }
        }
        for done in working { done.wait() }
        isDone.withLock { $0 = true }
        killing.wait()
        for stack in stacks { stack.unsafeRemoveAllPersistentStoresAndWait() }
        try check(outcome.withLock { $0 }, url, kills.withLock { $0 })
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
        let done = DispatchSemaphore(value: 0)
        Thread {
            body()
            done.signal()
        }.start()
        return done
    }

    /// Runs one transaction; every second transaction may be repeated.
    private static func attempt(_ number: Int, _ stack: DataStack, _ outcome: Locked<Outcome>) {
        outcome.withLock { $0.attempts += 1 }
        let start = Date()
        let result = Result { () throws(CoreStoreError) in
            try stack.perform(
                synchronous: { transaction in
                    transaction.create(Into<Mark>()).number = number + 1
                    let counter = number % Place.counterCount
                    guard let found = try transaction.fetchOne(From<Counter>().where(\.$number == counter)) else {
                        throw Failure("A counter does not exist.")
                    }
                    found.value += 1
                },
                options: TransactionOptions(
                    isolation: .serializable, repeatable: number % 2 == 0 ? .upTo(20) : .never))
        }
        outcome.withLock { outcome in
            outcome.longest = max(outcome.longest, Date().timeIntervalSince(start))
            switch result {
            case .success: outcome.saved.insert(number + 1)
            case .failure(let error):
                let code = error.storageError?.code
                outcome.codes[code?.rawValue ?? "\(error)", default: 0] += 1
                if code == .unknownOutcome {
                    outcome.unknown.insert(number + 1)
                } else {
                    outcome.refused.insert(number + 1)
                }
            }
        }
    }

    private static func check(_ outcome: Outcome, _ url: String, _ kills: Int) throws {
        let stack = try Place.stack(url)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let (found, sum) = try stack.read({ reading in
            (
                Set(try reading.fetchAll(From<Mark>()).map(\.number)),
                try reading.fetchAll(From<Counter>()).map(\.value).reduce(0, +)
            )
        })
        let codes = outcome.codes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print(
            """
            \(outcome.attempts) transactions, \(kills) connections ended: \(outcome.saved.count) acknowledged, \
            \(outcome.refused.count) rolled back, \(outcome.unknown.count) of unknown outcome \
            (\(outcome.unknown.intersection(found).count) of them made)
              acknowledged and lost \(outcome.saved.subtracting(found).count), rolled back and made \
            \(outcome.refused.intersection(found).count), marks \(found.count), sum of the counters \(sum)
              errors: \(codes.isEmpty ? "none" : codes); the longest transaction took \
            \(Int(outcome.longest * 1000)) ms
            """)
        let known: Set = ["unavailable", "busy", "conflict", "unknownOutcome"]
        guard outcome.saved.isSubset(of: found), outcome.refused.isDisjoint(with: found), found.count == sum,
            known.isSuperset(of: outcome.codes.keys),
            outcome.saved.count + outcome.refused.count + outcome.unknown.count == outcome.attempts
        else { throw Failure("A commit was lost, or saved although its transaction failed.") }
        // Without these conditions, the run has tested nothing.
        guard kills > 0 else { throw Failure("No connection was ended.") }
        guard !outcome.saved.isEmpty else { throw Failure("No transaction was acknowledged.") }
        guard !outcome.codes.isEmpty else { throw Failure("No transaction noticed that its connection was ended.") }
    }
}
