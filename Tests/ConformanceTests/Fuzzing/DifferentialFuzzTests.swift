import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferConformance

/// Random requests to every store; `scripts/fuzz requests` makes more of them.
struct DifferentialFuzzTests {
    @Test func `stores return the same results as the reference evaluator for random requests`() async {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["COFFER_SEED"].flatMap { UInt64($0) } ?? 1
        let count = environment["COFFER_FUZZ"].flatMap { Int($0) } ?? 200
        let seconds = environment["COFFER_FUZZ_SECONDS"].flatMap { Double($0) }
        var fixtures: [(String, any StorageFixture.Type)] = [
            ("InMemory", InMemoryPlace.self), ("SQLite", SQLitePlace.self),
        ]
        if Postgres.url != nil { fixtures.append(("PostgreSQL", PostgreSQLPlace.self)) }
        let fuzzer = DifferentialFuzzer(
            fixtures: fixtures, seed: seed,
            limit: seconds.map { .seconds($0) } ?? .count(count))
        let report = await withCheckedContinuation { continuation in
            // A separate thread with a large stack, because stores block and shrinking recurses.
            let thread = Thread {
                var shown = 0
                let report = fuzzer.run { report in
                    for failure in report.failures[shown...] { print(failure) }
                    fflush(nil)
                    shown = report.failures.count
                    guard report.requests % 1_000 == 0 else { return }
                    print("\(report.requests) requests, \(report.failures.count) failures, \(Int(report.seconds)) s")
                }
                continuation.resume(returning: report)
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        print("DifferentialFuzzTests: COFFER_SEED=\(seed), \(report.requests) requests, \(Int(report.seconds)) s")
        for failure in report.failures { Issue.record(Comment(rawValue: failure)) }
        #expect(report.requests > 0)
    }
}

private struct InMemoryPlace: StorageFixture {
    static let isShared = true

    private let store = InMemoryStore()

    func makeStore() -> any StorageInterface { store }
    func destroy() {}
}

private struct SQLitePlace: StorageFixture {
    static let isShared = true

    private let directory: URL

    init() throws { directory = try TemporaryDirectory.make() }

    func makeStore() -> any StorageInterface { SQLiteStore(fileURL: directory.appending(path: "random.sqlite")) }
    func destroy() { try? FileManager.default.removeItem(at: directory) }
}

private struct PostgreSQLPlace: StorageFixture {
    static let isShared = true

    private let schema = Postgres.newSchema()

    func makeStore() throws -> any StorageInterface { try Postgres.store(schema) }
    func destroy() { try? Postgres.store(schema).erase() }
}
