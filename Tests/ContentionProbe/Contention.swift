import Coffer
import CofferStorage
import Foundation

/// A test of lost increments, in which several processes increment the same counters for some time.
enum Contention {
    /// The report of one process: one line of numbers.
    struct Report {
        /// Increments of shared counters, under the policy by property, in serializable transactions.
        var shared = 0
        /// Increments of shared counters in transactions that throw on a conflict.
        var checked = 0
        /// Increments of the process's own property.
        var own = 0
        var unknown = 0
        var conflicts = 0
        /// The number of transactions that were given up without a change.
        var refused = 0

        static var keys: [WritableKeyPath<Report, Int>] {
            [\.shared, \.checked, \.own, \.unknown, \.conflicts, \.refused]
        }

        var line: String { Self.keys.map { "\(self[keyPath: $0])" }.joined(separator: " ") }

        init() {}

        init?(_ line: String) {
            let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            guard numbers.count == Self.keys.count else { return nil }
            for (key, number) in zip(Self.keys, numbers) { self[keyPath: key] = number }
        }
    }

    // MARK: One process

    /// Increments the counters until the time is over, and prints a report.
    static func work(_ url: String, _ seconds: Double, _ number: Int) throws {
        let stack = try Place.stack(url)
        var report = Report()
        let end = Date().addingTimeInterval(seconds)
        var round = 0
        while Date() < end {
            round += 1
            let counter = Int.random(in: 0..<Place.counterCount)
            switch round % 3 {
            case 0: count(\.shared, &report) { try incrementShared(stack, counter) }
            case 1: try incrementChecked(stack, counter, &report)
            default: count(\.own, &report) { try incrementOwn(stack, number % Tally.places.count) }
            }
        }
        print(report.line)
    }

    private static func count(
        _ key: WritableKeyPath<Report, Int>, _ report: inout Report, _ body: () throws -> Void
    ) {
        do {
            try body()
            report[keyPath: key] += 1
        } catch {
            let code = (error as? CoreStoreError)?.storageError?.code
            if code == .unknownOutcome { report.unknown += 1 } else { report.refused += 1 }
        }
    }

    /// Increments a shared counter under the policy by property.
    ///
    /// The isolation level prevents a lost increment.
    private static func incrementShared(_ stack: DataStack, _ number: Int) throws {
        let options = TransactionOptions(isolation: .serializable, repeatable: .upTo(100))
        try stack.perform(
            synchronous: { transaction in
                try transaction.fetchOne(From<Counter>().where(\.$number == number))?.value += 1
            }, options: options)
    }

    /// Increments a shared counter, and repeats the transaction after each conflict.
    private static func incrementChecked(_ stack: DataStack, _ number: Int, _ report: inout Report) throws {
        while true {
            do {
                try stack.perform(
                    synchronous: { transaction in
                        try transaction.fetchOne(From<Counter>().where(\.$number == number))?.checked += 1
                    }, options: TransactionOptions(conflictPolicy: .throwOnConflict))
                report.checked += 1
                return
            } catch {
                guard let storage = error.storageError, storage.code == .conflict else {
                    if error.storageError?.code == .unknownOutcome { report.unknown += 1 } else { report.refused += 1 }
                    return
                }
                guard let conflict = storage.conflicts.first, conflict.stored != conflict.base,
                    conflict.wanted?["checked"] != conflict.base["checked"]
                else { throw Failure("A conflict does not contain both versions: \(storage)") }
                report.conflicts += 1
                usleep(.random(in: 0..<4_000))
            }
        }
    }

    /// Increments the process's own property, which no other process writes, so no transaction is repeated.
    private static func incrementOwn(_ stack: DataStack, _ place: Int) throws {
        try stack.perform(synchronous: { transaction in
            try transaction.fetchOne(From<Tally>())?[keyPath: Tally.places[place]] += 1
        })
    }

    // MARK: All processes

    /// Starts the processes, and compares their reports with the stored values.
    static func run(_ url: String, _ seconds: Double, _ count: Int) throws {
        try Place.fill(url)
        defer { try? Place.erase(url) }
        let outputs = try (0..<count).map { number in
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["work", url, "\(seconds)", "\(number)"]
            process.standardOutput = pipe
            try process.run()
            return (process, pipe)
        }
        var total = Report()
        for (process, pipe) in outputs {
            let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationStatus == 0, let report = Report(output) else {
                throw Failure("A process ended with status \(process.terminationStatus).")
            }
            for key in Report.keys { total[keyPath: key] += report[keyPath: key] }
        }
        let stack = try Place.stack(url)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let found = try stack.read({ reading in
            let counters = try reading.fetchAll(From<Counter>())
            let tally = try reading.fetchOne(From<Tally>())
            let own: [Int] = Tally.places.compactMap { tally?[keyPath: $0] }
            let shared: [Int] = counters.map(\.value)
            let checked: [Int] = counters.map(\.checked)
            return (shared.reduce(0, +), checked.reduce(0, +), own.reduce(0, +))
        })
        print(
            """
            \(count) processes, \(Int(seconds)) s: increments acknowledged and stored
              shared property, last writer wins, serializable and repeatable   \(total.shared) \(found.0)
              shared property, throw on conflict, \(total.conflicts) conflicts told   \(total.checked) \(found.1)
              a property for each process, last writer wins   \(total.own) \(found.2)
              unknown outcomes \(total.unknown), given up without a change \(total.refused)
            """)
        let missing = [total.shared - found.0, total.checked - found.1, total.own - found.2]
        guard missing.allSatisfy({ $0 <= 0 && -$0 <= total.unknown }),
            [found.0, found.1, found.2].allSatisfy({ $0 > 0 })
        else { throw Failure("Increments were lost, or saved twice.") }
    }
}

/// The reason why the probe ends.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
