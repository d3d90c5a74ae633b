import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// A class of the model for the tests of imports from files.
private final class City: CoreStoreObject, ImportableUniqueObject {
    struct ImportSource: Decodable {
        var code: String?
        var name: String
        var population: Int?
        var emptiedFile: String?
    }

    @Field.Stored("code") var code: String = ""
    @Field.Stored("name") var name: String = ""
    @Field.Stored("population") var population: Int = -1
    @Field.Stored("founded") var founded: Date?
    @Field.Stored("area") var area: Decimal?
    @Field.Stored("ident") var ident: UUID?

    static var uniqueIDKeyPath: String { "code" }

    static func uniqueID(from source: ImportSource, in transaction: BaseDataTransaction) throws -> String? {
        // The source empties the file, as a program may do that writes the file during the import.
        if let path = source.emptiedFile { try Data().write(to: URL(filePath: path)) }
        if source.name == "bad id" { throw Refusal(method: "uniqueID") }
        return source.code
    }

    static func shouldUpdate(from source: ImportSource, in transaction: BaseDataTransaction) -> Bool {
        source.name != "skip"
    }

    func update(from source: ImportSource, in transaction: BaseDataTransaction) throws {
        name = source.name
        population = source.population ?? population
        if source.population == 13 { throw Refusal(method: "update") }
    }
}

private final class Visit: CoreStoreObject, ImportableObject {
    struct ImportSource: Decodable { var text: String }

    @Field.Stored("text") var text: String = ""

    func didInsert(from source: ImportSource, in transaction: BaseDataTransaction) throws { text = source.text }
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<City>("City", indexes: [[\.$code]]), Entity<Visit>("Visit")])

/// Imports from files with `stack.async`.
@MainActor
struct FileImportTests {
    private func stack(_ backend: TestBackend) throws -> TestStack { try TestStack(backend, schema) }

    private func cities(_ test: TestStack) throws -> [String] {
        try test.stack.fetchAll(From<City>().orderBy(.ascending(\.$code))).map {
            "\($0.code) \($0.name) \($0.population)"
        }
    }

    private func lines(_ records: [(String?, String, Int?)]) throws -> TextFile {
        let lines = records.map { code, name, population in
            let pairs = [
                code.map { "\"code\": \"\($0)\"" }, "\"name\": \"\(name)\"", population.map { "\"population\": \($0)" },
            ]
            return "{" + pairs.compactMap(\.self).joined(separator: ", ") + "}\n"
        }
        return try TextFile("cities.jsonl", lines.joined())
    }

    @Test(arguments: TestBackend.allCases)
    func `each record creates an object`(_ backend: TestBackend) async throws {
        let test = try stack(backend)
        let file = try TextFile("visits.csv", "text,more\n\"a\nb\",1\nc,2\n")
        let report = try await test.stack.async.importObjects(Into<Visit>(), from: file.records())
        #expect(report.description == "2 records: 2 created, 0 updated, 0 skipped, 0 refused")
        #expect(try test.stack.fetchAll(From<Visit>().orderBy(.ascending(\.$text))).map(\.text) == ["a\nb", "c"])
    }

    @Test(arguments: TestBackend.allCases)
    func `records find objects by their ids, and the last record with an id is imported`(
        _ backend: TestBackend
    ) async throws {
        let test = try stack(backend)
        let first = try lines([("a", "Aa", 1), ("b", "Bb", 2)])
        _ = try await test.stack.async.importUniqueObjects(Into<City>(), from: first.records())
        let second = try lines([
            ("c", "Cc", nil), ("b", "B", nil), (nil, "none", nil), ("c", "C", 3), ("a", "skip", nil),
        ])
        let report = try await test.stack.async.importUniqueObjects(Into<City>(), from: second.records())
        #expect(report.description == "5 records: 1 created, 2 updated, 2 skipped, 0 refused")
        #expect(try cities(test) == ["a Aa 1", "b B 2", "c C 3"])
    }

    @Test(arguments: TestBackend.allCases)
    func `one refused record refuses the whole import, and the error lists all refused records`(
        _ backend: TestBackend
    ) async throws {
        let test = try stack(backend)
        let file = try TextFile(
            "cities.json",
            """
            [{"code": "a", "name": "A"},
             {"code": "b", "name": 2},
             {"code": "c", "name": "C", "population": 13},
             {"code": "d"}]
            """)
        let error = await #expect(throws: ImportError.self) {
            _ = try await test.stack.async.importUniqueObjects(Into<City>(), from: file.records())
        }
        guard case .refusedRecords(let refused)? = error?.cause else { throw Refusal(method: "no refused records") }
        #expect(refused.map(\.line) == [2, 3, 4])
        #expect(refused.map(\.number) == [2, 3, 4])
        #expect(refused.map(\.key) == ["name", nil, "name"])
        #expect(refused[1].underlyingError as? Refusal == Refusal(method: "update"))
        #expect(error?.refusedCount == 3 && error?.saved.recordCount == 0)
        #expect(try cities(test) == [])
    }

    @Test(arguments: TestBackend.allCases)
    func `with keepOthers, accepted records are imported and refused records change nothing`(
        _ backend: TestBackend
    ) async throws {
        let test = try stack(backend)
        let stored = try lines([("b", "Bb", 2)])
        _ = try await test.stack.async.importUniqueObjects(Into<City>(), from: stored.records())
        let file = try lines([
            ("a", "A", 1), ("b", "B", 13), ("x", "bad id", nil), ("c", "C", 13), ("c", "CC", 4), ("d", "D", 13),
        ])
        for transactions in [ImportOptions.Transactions.one, .batches(of: 2), .batches(of: 100)] {
            let options = ImportOptions(transactions: transactions, refusals: .keepOthers)
            let report = try await test.stack.async.importUniqueObjects(
                Into<City>(), from: file.records(), options: options)
            #expect(report.recordCount == 6)
            // In one batch, the later record of "c" replaces the earlier record, whose method is not called.
            let isSplit = transactions == .batches(of: 2)
            #expect(report.refusals.map(\.line) == [2, 3] + (isSplit ? [4] : []) + [6])
            #expect(report.refusedCount == report.refusals.count)
            #expect(try cities(test) == ["a A 1", "b Bb 2", "c CC 4"])
            try test.stack.perform(synchronous: { transaction in
                _ = try transaction.deleteAll(From<City>().where { $0.$code != "b" })
            })
        }
    }

    @Test(arguments: TestBackend.allCases)
    func `nothing is saved if the file has changed when it is read again`(_ backend: TestBackend) async throws {
        let test = try stack(backend)
        let file = try lines([("a", "bad id", nil), ("b", "B", 1)])
        let path = file.url.path(percentEncoded: false)
        let text = try String(contentsOf: file.url, encoding: .utf8)
            .replacing("\"name\": \"bad", with: "\"emptiedFile\": \"\(path)\", \"name\": \"bad")
        try Data(text.utf8).write(to: file.url)
        let error = await #expect(throws: ImportError.self) {
            _ = try await test.stack.async.importUniqueObjects(
                Into<City>(), from: file.records(), options: ImportOptions(refusals: .keepOthers))
        }
        guard case .file(let cause)? = error?.cause else { throw Refusal(method: "no file error") }
        #expect(cause.reason.contains("but it has changed since the first reading."))
        #expect(try cities(test) == [])
    }

    @Test(arguments: TestBackend.allCases)
    func `batches before a refused record stay saved, and the error counts their records`(
        _ backend: TestBackend
    ) async throws {
        let test = try stack(backend)
        let file = try lines((1...9).map { ("\($0)", "N", $0 == 6 ? 13 : $0) })
        let error = await #expect(throws: ImportError.self) {
            _ = try await test.stack.async.importUniqueObjects(
                Into<City>(), from: file.records(), options: ImportOptions(transactions: .batches(of: 2)))
        }
        #expect(error?.saved.createdCount == 4 && error?.refusedCount == 1)
        #expect(
            error?.description.hasSuffix(
                "Earlier batches were saved (4 records: 4 created, 0 updated, 0 skipped, 0 refused).") == true)
        #expect(try cities(test).count == 4)
    }

    @Test(arguments: TestBackend.allCases)
    func `an import in one transaction saves nothing if the file is damaged`(_ backend: TestBackend) async throws {
        let test = try stack(backend)
        let file = try TextFile("cities.json", "[{\"code\": \"a\", \"name\": \"A\"},\n{\"code\": ")
        for refusals in [ImportOptions.Refusals.refuseAll, .keepOthers] {
            let error = await #expect(throws: ImportError.self) {
                _ = try await test.stack.async.importUniqueObjects(
                    Into<City>(), from: file.records(), options: ImportOptions(refusals: refusals))
            }
            guard case .file(let damage)? = error?.cause else { throw Refusal(method: "no damage") }
            #expect(damage.code == .damaged && damage.line == 2)
        }
        #expect(try cities(test) == [])
    }

    @Test(arguments: TestBackend.allCases)
    func `values are copied to the fields that have the same names as the keys`(_ backend: TestBackend) async throws {
        let test = try stack(backend)
        let csv = try TextFile(
            "cities.csv",
            "code,name,population,founded,area,ident\n"
                + "a,Aa,1,2001-01-01T00:00:01Z,1.50,6F3C6E1A-0000-4000-8000-00000000000A\nb,,2,,,\na,A,3,,,\n")
        let report = try await test.stack.async.importRecords(Into<City>(), from: csv.records(), uniqueBy: "code")
        #expect(report.description == "3 records: 2 created, 1 updated, 0 skipped, 0 refused")
        #expect(try cities(test) == ["a A 3", "b  2"])
        let more = try TextFile(
            "cities.jsonl", "{\"code\": \"b\", \"founded\": \"2001-01-01\", \"area\": 2.25, \"ident\": null}")
        _ = try await test.stack.async.importRecords(Into<City>(), from: more.records(), uniqueBy: "code")
        let city = try #require(try test.stack.fetchOne(From<City>().where { $0.$code == "b" }))
        #expect(city.founded == Date(timeIntervalSinceReferenceDate: 0))
        #expect((city.area, city.population, city.ident) == (2.25, 2, nil))
        #expect(try await test.stack.async.importRecords(Into<City>(), from: more.records()).createdCount == 1)
        #expect(try test.stack.fetchCount(From<City>()) == 3)
    }

    @Test(arguments: TestBackend.allCases)
    func `a UUID in upper case is found by a condition and by the next import`(_ backend: TestBackend) async throws {
        let test = try stack(backend)
        let text = "6F3C6E1A-0000-4000-8000-00000000000A"
        for ident in [text, text.lowercased()] {
            let file = try TextFile("cities.csv", "ident,name\n\(ident),A\n")
            _ = try await test.stack.async.importRecords(Into<City>(), from: file.records(), uniqueBy: "ident")
        }
        let ident = try #require(UUID(uuidString: text))
        #expect(try test.stack.fetchAll(From<City>().where { $0.$ident == ident }).map(\.name) == ["A"])
    }

    @Test(arguments: TestBackend.allCases)
    func `an import by fields refuses unknown keys, null ids and an unknown unique key`(
        _ backend: TestBackend
    ) async throws {
        let test = try stack(backend)
        let file = try TextFile(
            "cities.jsonl", "{\"code\": \"a\", \"nam\": \"A\"}\n{\"name\": \"B\"}\n{\"code\": \"c\"}\n")
        let kept = try await test.stack.async.importRecords(
            Into<City>(), from: file.records(), uniqueBy: "code", options: ImportOptions(refusals: .keepOthers))
        #expect(kept.refusals.map(\.key) == ["nam", "code"])
        #expect(kept.createdCount == 1)
        let error = await #expect(throws: ImportError.self) {
            _ = try await test.stack.async.importRecords(
                Into<City>(), from: file.records(), uniqueBy: "cod", options: ImportOptions(ignoresUnknownKeys: true))
        }
        guard case .transaction(let cause)? = error?.cause else { throw Refusal(method: "no transaction error") }
        #expect(cause.storageError?.message.contains("Did you mean 'code'?") == true)
        #expect(try cities(test) == ["c  -1"])
    }

    @Test func `progress counts bytes and records, and its cancellation cancels the import`() async throws {
        let test = try stack(.sqlite)
        let file = try lines((1...20_000).map { number in ("\(number)", "N", number + 20) })
        let progress = Progress(totalUnitCount: -1)
        var options = ImportOptions(transactions: .batches(of: 1_000), progress: progress)
        _ = try await test.stack.async.importUniqueObjects(Into<City>(), from: file.records(), options: options)
        let size = try file.url.resourceValues(forKeys: [.fileSizeKey]).fileSize
        #expect(progress.totalUnitCount == size.map(Int64.init))
        #expect(progress.isFinished && progress.completedUnitCount == progress.totalUnitCount)
        #expect(progress.importedRecordCount == 20_000)

        let cancelled = Progress(totalUnitCount: -1)
        cancelled.cancel()
        options.progress = cancelled
        options.transactions = .one
        try test.stack.perform(synchronous: { transaction in _ = try transaction.deleteAll(From<City>()) })
        let error = await #expect(throws: ImportError.self) {
            _ = try await test.stack.async.importUniqueObjects(Into<City>(), from: file.records(), options: options)
        }
        guard case .transaction(.userCancelled)? = error?.cause else { throw Refusal(method: "not cancelled") }
        #expect(try test.stack.fetchCount(From<City>()) == 0)
    }

    @Test func `an import in a cancelled task saves nothing`() async throws {
        let test = try stack(.sqlite)
        let file = try lines((1...10).map { ("\($0 as Int)", "N", $0) })
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await test.stack.async.importUniqueObjects(Into<City>(), from: file.records())
        }
        await #expect(throws: ImportError.self) { try await task.value }
        #expect(try test.stack.fetchCount(From<City>()) == 0)
    }

    @Test(arguments: TestBackend.allCases)
    func `a failed commit is the cause of the import error`(_ backend: TestBackend) async throws {
        let probed = try ProbedStack(backend, schema)
        probed.store.fail(.commit)
        let file = try lines([("a", "A", 1)])
        let error = await #expect(throws: ImportError.self) {
            _ = try await probed.stack.async.importUniqueObjects(Into<City>(), from: file.records())
        }
        guard case .transaction(let cause)? = error?.cause else { throw Refusal(method: "no transaction error") }
        #expect(cause.storageError?.message == "The disk is on fire.")
        #expect(try probed.stack.fetchCount(From<City>()) == 0)
    }
}
