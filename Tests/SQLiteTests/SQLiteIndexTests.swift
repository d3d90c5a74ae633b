import Coffer
import CofferCSQLite
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

private class Heron: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("ring") var ring: String?
    @Field.Stored("age") var age: Int = 0
    @Field.Stored("hatched") var hatched: Date?
    @Field.Stored("note") var note: String = ""
}

/// SQLite's query plans for typed conditions and orders, from `EXPLAIN QUERY PLAN`.
@MainActor
struct SQLiteIndexTests {
    private let directory: URL
    private let stack: DataStack
    private let statements = Locked<[String]>([])
    private var fileURL: URL { directory.appending(path: "herons.sqlite") }

    init() throws {
        directory = try TestStack.makeDirectory()
        stack = DataStack(
            CoreStoreSchema(
                modelVersion: "V1",
                entities: [
                    Entity<Heron>(
                        "Heron", indexes: [[\.$name], [\.$age, \.$name], [\.$hatched]], uniqueConstraints: [[\.$ring]])
                ]
            )
        )
        let settings = SQLiteConfiguration(onStatement: { [statements] text in statements.withLock { $0.append(text) } }
        )
        try stack.addStorageAndWait(SQLiteStore(fileURL: fileURL, settings: settings))
        try stack.perform(synchronous: { transaction in
            for index in 0..<20 {
                let heron = transaction.create(Into<Heron>())
                (heron.name, heron.ring, heron.age) = ("H\(index)", index % 2 == 0 ? nil : "R\(index)", index)
            }
        })
    }

    /// Checks the number of objects that a fetch finds, and returns the steps of its query plan.
    private func plan(
        _ fetch: FetchChainBuilder<Heron>, finds count: Int, location: SourceLocation = #_sourceLocation
    ) throws -> String {
        statements.withLock { $0 = [] }
        #expect(try stack.fetchAll(fetch).count == count, sourceLocation: location)
        let text = try #require(statements.withLock { $0.last { $0.hasPrefix("SELECT") } })
        var handle: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(handle)
        }
        #expect(sqlite3_open_v2(fileURL.path(), &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        try #require(sqlite3_prepare_v2(handle, "EXPLAIN QUERY PLAN \(text)", -1, &statement, nil) == SQLITE_OK)
        var steps: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            steps.append(sqlite3_column_text(statement, 3).map { String(cString: $0) } ?? "")
        }
        return steps.joined(separator: ", ").replacing("USING COVERING INDEX", with: "USING INDEX")
    }

    private func isSearch(_ plan: String, _ columns: String) -> Bool {
        plan.hasPrefix("SEARCH") && plan.contains("USING INDEX") && plan.contains(columns)
    }

    @Test(.pins("CLS-40")) func `equality uses an index`() throws {
        let from = From<Heron>()
        #expect(isSearch(try plan(from.where(\.$name == "H3"), finds: 1), "(name=?)"))
        #expect(isSearch(try plan(from.where { $0.$ring == "R3" }, finds: 1), "(ring=?)"))
        #expect(isSearch(try plan(from.where(\.$ring == nil), finds: 10), "(ring=?)"))
        #expect(isSearch(try plan(from.where(\.$age == 3 && \.$name == "H3"), finds: 1), "(age=? AND name=?)"))
        #expect(isSearch(try plan(from.where(["H1", "H2"] ~= \.$name), finds: 2), "(name=?)"))
        #expect(isSearch(try plan(from.where((\Heron.$name).equals("H3", options: [])), finds: 1), "(name=?)"))
    }

    @Test(.pins("CLS-41")) func `a long list looks up each value of a unique attribute and sorts nothing`() throws {
        let rings = (0..<1_000).map { "R\($0)" }
        let plan = try plan(From<Heron>().where(rings ~= \.$ring), finds: 10)
        #expect(plan.contains("SEARCH t0 USING INDEX") && plan.contains("(ring=?)"), "\(plan)")
        #expect(!plan.contains("TEMP B-TREE") && !plan.contains("SUBQUERY"), "\(plan)")
    }

    @Test(.pins("CLS-41")) func `a long list beside another condition, or with other attributes, is sorted`() throws {
        let names = (0..<1_000).map { "H\($0 % 20)" }
        for (fetch, count) in [
            (From<Heron>().where(names ~= \.$name), 20), (From<Heron>().where(names ~= \.$note), 0),
            (From<Heron>().where { (0..<1_000).map { "R\($0)" } ~= $0.$ring && $0.$age == 3 }, 1),
        ] {
            let plan = try plan(fetch, finds: count)
            #expect(plan.contains("LIST SUBQUERY") && !plan.contains("SCAN l"), "\(plan)")
        }
    }

    @Test(.pins("CLS-41")) func `a range uses an index`() throws {
        let from = From<Heron>()
        #expect(isSearch(try plan(from.where(3...5 ~= \.$age), finds: 3), "(age>? AND age<?)"))
        #expect(isSearch(try plan(from.where { 3..<5 ~= $0.$age }, finds: 2), "(age>? AND age<?)"))
        let older = from.where(\.$age > 15).orderBy(.ascending(\.$age))
        #expect(isSearch(try plan(older, finds: 4), "(age>?)"))
        let (start, end) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 10))
        #expect(isSearch(try plan(from.where(start..<end ~= \.$hatched), finds: 0), "(hatched>? AND hatched<?)"))
    }

    @Test(.pins("CLS-41")) func `a short range uses an index, and the found rows are sorted by key`() throws {
        let from = From<Heron>()
        #expect(isSearch(try plan(from.where(\.$age > 15), finds: 4), "(age>?)"))
        #expect(isSearch(try plan(from.where(\.$age > 100), finds: 0), "(age>?)"))
        #expect(isSearch(try plan(from.where(\.$age > 15).limit(1), finds: 1), "(age>?)"))
        #expect(isSearch(try plan(from.where { $0.$age > 15 && $0.$note == "" }, finds: 4), "(age>?)"))
        let byName = try plan(from.where(\.$age > 15).orderBy(.descending(\.$name)), finds: 4)
        #expect(isSearch(byName, "(age>?)"), "\(byName)")
        #expect(try stack.fetchAll(from.where(\.$age > 16).orderBy(.descending(\.$name))).map(\.age) == [19, 18, 17])
    }

    @Test(.pins("CLS-41")) func `the first rows of a long range are read in the order of the keys without an index`()
        throws
    {
        try stack.perform(synchronous: { transaction in
            for index in 0..<600 {
                let heron = transaction.create(Into<Heron>())
                (heron.name, heron.age) = ("L", 1_000 - index)
            }
        })
        let from = From<Heron>()
        let first = try plan(from.where(\.$age > 15).limit(1), finds: 1)
        #expect(first == "SCAN t0", "\(first)")
        #expect(try stack.fetchOne(from.where(\.$age > 15))?.age == 16)
        let all = try plan(from.where(\.$age > 15), finds: 604)
        #expect(isSearch(all, "(age>?)"), "\(all)")
        #expect(try stack.fetchAll(from.where(\.$age > 15)).prefix(5).map(\.age) == [16, 17, 18, 19, 1_000])
    }

    @Test(.pins("CLS-27")) func `a prefix uses an index`() throws {
        let from = From<Heron>()
        #expect(isSearch(try plan(from.where((\Heron.$name).beginsWith("H1")), finds: 11), "(name>? AND name<?)"))
        #expect(isSearch(try plan(from.where(\.$ring ^= "R1"), finds: 6), "(ring>? AND ring<?)"))
    }

    @Test(.pins("CLS-60")) func `an order uses an index`() throws {
        let from = From<Heron>()
        let byName = try plan(from.orderBy(.ascending(\.$name)), finds: 20)
        #expect(byName.hasPrefix("SCAN") && byName.contains("USING INDEX") && !byName.contains("TEMP B-TREE"))
        let limited = try plan(
            from.where(\.$age > 3).orderBy(.ascending(\.$age), .ascending(\.$name)).limit(2), finds: 2)
        #expect(isSearch(limited, "(age>?)") && !limited.contains("FOR ORDER BY"), "\(limited)")
    }

    @Test(.pins("CLS-27")) func `a condition without a usable index is answered by a scan`() throws {
        let from = From<Heron>()
        #expect(try plan(from.where((\Heron.$note).beginsWith("x")), finds: 0).hasPrefix("SCAN"))
        #expect(try plan(from.where(\.$age * 2 > 20), finds: 9).hasPrefix("SCAN"))
    }
}
