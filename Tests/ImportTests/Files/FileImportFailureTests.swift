import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private final class Region: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("towns", inverse: \.$region) var towns: Set<Place>
}

/// A town whose import method can call a closure.
private final class Place: CoreStoreObject, ImportableUniqueObject {
    enum Kind: String, ImportableAttributeType, FieldStorableType { case town, village }
    struct Mood: Codable, Equatable { var colour = "grey" }

    struct ImportSource: Decodable {
        var code: String
        var name: String
        /// The key of a closure in `hooks`.
        var hook: String?
    }

    @Field.Stored("code") var code: String = ""
    @Field.Stored("name") var name: String = ""
    @Field.Stored("ident", dynamicInitialValue: { UUID() }) var ident: UUID
    @Field.Stored("page") var page: URL?
    @Field.Stored("kind") var kind: Kind = .town
    @Field.Stored("height") var height: Float = 0
    @Field.Coded("mood", coder: FieldCoders.Json.self) var mood: Mood = Mood()
    @Field.Relationship("region") var region: Region?

    /// The closures that `update` calls, by the hook names of the sources.
    static let hooks = Locked<[String: @Sendable (Place, BaseDataTransaction) throws -> Void]>([:])

    static var uniqueIDKeyPath: String { "code" }

    static func uniqueID(from source: ImportSource, in transaction: BaseDataTransaction) throws -> String? {
        source.code
    }

    func update(from source: ImportSource, in transaction: BaseDataTransaction) throws {
        name = source.name
        if let hook = source.hook { try Self.hooks.withLock { $0[hook] }?(self, transaction) }
        if source.name == "refused" { throw Refusal(method: "update") }
    }
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Place>("Place", indexes: [[\.$code]]), Entity<Region>("Region")])

/// Imports from files with failing stores, duplicates, pipes, and values that a field cannot have.
@MainActor
struct FileImportFailureTests {
    private func places(_ stack: DataStack) throws -> [String] {
        try stack.fetchAll(From<Place>().orderBy(.ascending(\.$code))).map { "\($0.code) \($0.name)" }
    }

    /// Registers a hook, and returns the name by which a record calls it.
    private func hook(_ body: @escaping @Sendable (Place, BaseDataTransaction) throws -> Void) -> String {
        let name = UUID().uuidString
        Place.hooks.withLock { $0[name] = body }
        return name
    }

    /// Opens a pipe for writing after the import has opened the other end.
    private func writingEnd(of url: URL) async throws -> FileHandle {
        // This is not a task, because the threads of Swift's pool must not wait.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                // A server that another test starts at this moment must not inherit the pipe, which would then stay open.
                let descriptor = open(url.path(percentEncoded: false), O_WRONLY | O_CLOEXEC)
                continuation.resume(
                    with: descriptor >= 0
                        ? .success(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
                        : .failure(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)))
            }
        }
    }

    /// Imports three records; the second record calls the hook, and the others are kept if some are refused.
    private func importing(
        _ hook: String, _ stack: DataStack, _ transactions: ImportOptions.Transactions = .one
    ) async throws -> ImportError? {
        let file = try TextFile(
            "a.jsonl",
            """
            {"code": "a", "name": "A"}
            {"code": "b", "name": "B", "hook": "\(hook)"}
            {"code": "c", "name": "C"}
            """)
        let options = ImportOptions(transactions: transactions, refusals: .keepOthers)
        do throws(ImportError) {
            _ = try await stack.async.importUniqueObjects(
                Into<Place>(), from: RecordFile(file.url, format: .jsonLines), options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: TestBackend.allCases, [ImportOptions.Transactions.one, .batches(of: 10)])
    func `a failed read in a method of the class ends the import and refuses no record`(
        _ backend: TestBackend, _ transactions: ImportOptions.Transactions
    ) async throws {
        let probed = try ProbedStack(backend, schema)
        let store = probed.store
        let name = hook { _, transaction in
            store.fail(.read)
            _ = try transaction.fetchCount(From<Region>())
        }
        let error = try await importing(name, probed.stack, transactions)
        guard case .transaction(let cause)? = error?.cause else { throw Refusal(method: "no transaction error") }
        #expect(cause.storageError?.message == "The disk is on fire.")
        #expect(try places(probed.stack) == [])
    }

    @Test(arguments: TestBackend.allCases)
    func `a failed read of a relationship ends the import although the method refuses the record`(
        _ backend: TestBackend
    ) async throws {
        let probed = try ProbedStack(backend, schema)
        try probed.stack.perform(synchronous: { transaction in
            let place = transaction.create(Into<Place>())
            place.code = "b"
            place.region = transaction.create(Into<Region>())
        })
        let store = probed.store
        let name = hook { place, _ in
            store.fail(.read)
            guard place.region != nil else { throw Refusal(method: "region") }
        }
        let error = try await importing(name, probed.stack)
        #expect(!store.stopFailing(.read))
        guard case .transaction(let cause)? = error?.cause else { throw Refusal(method: "no transaction error") }
        #expect(cause.storageError?.message == "The disk is on fire.")
        #expect(try places(probed.stack) == ["b "])
    }

    @Test(arguments: TestBackend.allCases)
    func `a cancellation in a method ends the import, and another error refuses the record`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        let errors: [any Error & Sendable] = [CancellationError(), CoreStoreError.userCancelled]
        for thrown in errors {
            let error = try await importing(hook { _, _ in throw thrown }, test.stack)
            guard case .transaction(.userCancelled)? = error?.cause else { throw Refusal(method: "not cancelled") }
            #expect(try places(test.stack) == [])
        }
        let own = CoreStoreError.userError(error: Refusal(method: "own"))
        #expect(try await importing(hook { _, _ in throw own }, test.stack) == nil)
        #expect(try places(test.stack) == ["a A", "c C"])
    }

    @Test(arguments: TestBackend.allCases)
    func `after a commit of unknown outcome, the error does not claim that nothing was saved`(
        _ backend: TestBackend
    ) async throws {
        let probed = try ProbedStack(backend, schema)
        probed.store.fail(.commit, with: StorageError(.unknownOutcome, "The connection was lost."))
        let error = try await importing(hook { _, _ in }, probed.stack)
        #expect(
            error?.description.hasSuffix(
                " The outcome of the last transaction is unknown. Read the data before you repeat the import.") == true)
        probed.store.fail(.commit, after: 1, with: StorageError(.unknownOutcome, "The connection was lost."))
        let later = try await importing(hook { _, _ in }, probed.stack, .batches(of: 2))
        #expect(
            later?.description.hasSuffix(
                " Earlier batches were saved (2 records: 2 created, 0 updated, 0 skipped, 0 refused). The outcome of "
                    + "the last transaction is unknown. Read the data before you repeat the import.") == true,
            "\(later?.description ?? "")")
    }

    @Test func `with several stores, the error refers to the stores that have saved their parts`() async throws {
        let stack = DataStack(Club.schema)
        let failing = ProbedStore(try TestBackend.memory.makeStore("A", in: URL(filePath: "/"), configuration: "A"))
        try stack.addStorageAndWait(failing)
        try stack.addStorageAndWait(
            ProbedStore(try TestBackend.memory.makeStore("B", in: URL(filePath: "/"), configuration: "B")))
        failing.fail(.commit)
        let file = try TextFile("a.jsonl", "{\"text\": \"x\"}\n")
        let error = await #expect(throws: ImportError.self) {
            _ = try await stack.async.importObjects(Into<Club.Note>("A"), from: file.records())
        }
        #expect(
            error?.description.hasSuffix(" Nothing was saved, except parts that the error reports as saved.") == true,
            "\(error?.description ?? "")")
    }

    @Test(arguments: TestBackend.allCases)
    func `an import of a class outside the schema throws persistentStoreNotFound`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let file = try TextFile("a.csv", "text\nx\n")
        let error = await #expect(throws: ImportError.self) {
            _ = try await test.stack.async.importRecords(Into<Club.Note>(), from: file.records())
        }
        guard case .transaction(.persistentStoreNotFound)? = error?.cause else { throw Refusal(method: "other") }
    }

    @Test(arguments: TestBackend.allCases, [ImportOptions.Transactions.one, .batches(of: 1_000)])
    func `refused records with the same id need one pass, and the last accepted record is imported`(
        _ backend: TestBackend, _ transactions: ImportOptions.Transactions
    ) async throws {
        let probed = try ProbedStack(backend, schema)
        let lines =
            [("a", "A"), ("b", "B1"), ("b", "B2")].map { "{\"code\": \"\($0.0)\", \"name\": \"\($0.1)\"}" }
            + (0..<300).map { _ in "{\"code\": \"\", \"name\": \"refused\"}" }
            + (0..<300).map { _ in "{\"code\": \"b\", \"name\": \"refused\"}" }
        let file = try TextFile("a.jsonl", lines.joined(separator: "\n"))
        _ = probed.store.takeRequests()
        let report = try await probed.stack.async.importUniqueObjects(
            Into<Place>(), from: file.records(),
            options: ImportOptions(transactions: transactions, refusals: .keepOthers, refusalLimit: 1_000))
        // One request per pass finds the objects.
        #expect(probed.store.takeRequests().filter { $0.hasPrefix("rows") }.count == 2)
        #expect(report.description == "603 records: 2 created, 1 updated, 0 skipped, 600 refused")
        #expect(report.refusals.map(\.number) == Array(4...603))
        #expect(try places(probed.stack) == ["a A", "b B2"])
    }

    @Test(arguments: TestBackend.allCases)
    func `a record with a value that its field cannot hold is refused`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let file = try TextFile(
            "a.jsonl",
            """
            {"code": "a", "ident": "abc"}
            {"code": "b", "page": ""}
            {"code": "c", "kind": "castle"}
            {"code": "d", "mood": "AAAA"}
            {"code": "e", "height": 1e39}
            {"code": "f", "ident": "6F3C6E1A-0000-4000-8000-00000000000A", "page": "https://a.b", "kind": "village", \
            "height": 0.5}
            """)
        for unique in [nil, "code"] {
            let report = try await test.stack.async.importRecords(
                Into<Place>(), from: file.records(), uniqueBy: unique, options: ImportOptions(refusals: .keepOthers))
            #expect(report.refusals.map(\.key) == ["ident", "page", "kind", "mood", "height"])
            #expect(report.refusals[0].reason == "The string is not a UUID.")
            #expect(report.refusals[2].reason == "The field cannot have this value.")
        }
        let found = try test.stack.fetchAll(From<Place>())
        #expect(found.count == 1 && found[0].kind == .village && found[0].page == URL(string: "https://a.b"))
        #expect(found[0].ident == UUID(uuidString: "6F3C6E1A-0000-4000-8000-00000000000A") && found[0].height == 0.5)
    }

    @Test func `an import from an empty pipe blocks no transaction, and its progress finishes`() async throws {
        let test = try TestStack(.sqlite, schema)
        let url = test.directory.appending(path: "pipe.csv")
        #expect(mkfifo(url.path(percentEncoded: false), 0o600) == 0)
        let progress = Progress(totalUnitCount: -1)
        let stack = test.stack
        let work = Task {
            try await stack.async.importRecords(
                Into<Place>(), from: RecordFile(url), options: ImportOptions(progress: progress))
        }
        let pipe = try await writingEnd(of: url)
        try await stack.async.perform { $0.create(Into<Place>()).code = "first" }
        let text = "code,name\na,A\n"
        try pipe.write(contentsOf: Data(text.utf8))
        try pipe.close()
        #expect(try await work.value.createdCount == 1)
        #expect(try places(stack) == ["a A", "first "])
        #expect(progress.isFinished && progress.completedUnitCount == Int64(text.utf8.count))
    }

    @Test func `a pipe is closed when the import returns`() async throws {
        let test = try TestStack(.memory, schema)
        let url = test.directory.appending(path: "pipe.jsonl")
        let path = url.path(percentEncoded: false)
        #expect(mkfifo(path, 0o600) == 0)
        let stack = test.stack
        for _ in 1...20 {
            let work = Task {
                try await stack.async.importUniqueObjects(
                    Into<Place>(), from: RecordFile(url), options: ImportOptions(refusals: .keepOthers))
            }
            let pipe = try await writingEnd(of: url)
            try pipe.write(contentsOf: Data("{\"code\": \"a\", \"name\": \"refused\"}\n".utf8))
            try pipe.close()
            await #expect(throws: ImportError.self) { _ = try await work.value }
            // Without a reader, the pipe cannot be opened for writing.
            let descriptor = open(path, O_WRONLY | O_NONBLOCK)
            #expect(descriptor < 0 && errno == ENXIO)
            if descriptor >= 0 { close(descriptor) }
        }
    }

    /// Imports from a pipe in a separate task.
    private func importPipe(
        _ test: TestStack, _ progress: Progress? = nil
    ) throws -> (URL, Task<ImportReport, any Error>) {
        let url = test.directory.appending(path: "pipe.jsonl")
        #expect(mkfifo(url.path(percentEncoded: false), 0o600) == 0)
        let stack = test.stack
        let work = Task {
            try await stack.async.importRecords(
                Into<Place>(), from: RecordFile(url), options: ImportOptions(progress: progress))
        }
        return (url, work)
    }

    @Test func `an import that waits for a program to open its pipe can be cancelled`() async throws {
        let test = try TestStack(.sqlite, schema)
        let (_, work) = try importPipe(test)
        work.cancel()
        let error = await #expect(throws: ImportError.self) { _ = try await work.value }
        guard case .transaction(.userCancelled)? = error?.cause else { throw Refusal(method: "not cancelled") }
    }

    @Test(arguments: [false, true])
    func `a cancelled import that waits for the next record of a pipe ends its transaction`(
        byProgress: Bool
    ) async throws {
        let test = try TestStack(.sqlite, schema)
        let progress = Progress(totalUnitCount: -1)
        let (url, work) = try importPipe(test, progress)
        let pipe = try await writingEnd(of: url)
        let lines = (0..<6_000).map { "{\"code\": \"\($0)\"}\n" }.joined()
        try pipe.write(contentsOf: Data(lines.utf8))
        // The first 5,000 records are imported, and the transaction waits for the others.
        while progress.importedRecordCount != 5_000 { await Task.yield() }
        if byProgress { progress.cancel() } else { work.cancel() }
        let error = await #expect(throws: ImportError.self) { _ = try await work.value }
        guard case .transaction(.userCancelled)? = error?.cause else { throw Refusal(method: "not cancelled") }
        try await test.stack.async.perform { $0.create(Into<Place>()).code = "after" }
        #expect(try places(test.stack) == ["after "])
        try pipe.close()
    }

    @Test(arguments: ["a.jsonl", "a.json", "a.csv"])
    func `the progress of a file without records ends`(name: String) async throws {
        let test = try TestStack(.memory, schema)
        let file = try TextFile(name, ["a.json": "[]", "a.csv": "code\n"][name] ?? "")
        let progress = Progress(totalUnitCount: -1)
        let report = try await test.stack.async.importRecords(
            Into<Place>(), from: file.records(), options: ImportOptions(progress: progress))
        #expect(report.recordCount == 0)
        #expect(progress.isFinished && progress.importedRecordCount == 0)
    }

    @Test(arguments: [ImportOptions.Transactions.one, .batches(of: 700)], [Int.min, 0, 3, Int.max])
    func `a report counts all refused records, and describes as many as the limit allows`(
        _ transactions: ImportOptions.Transactions, _ limit: Int
    ) async throws {
        let test = try TestStack(.memory, schema)
        // Of every three records, one cannot be decoded, one is valid, and the class refuses one.
        let lines = (1...3_000).map { number in
            switch number % 3 {
            case 1: "{\"code\": \(number)}"
            case 0: "{\"code\": \"\(number)\", \"name\": \"refused\"}"
            default: "{\"code\": \"\(number)\", \"name\": \"N\"}"
            }
        }
        let file = try TextFile("a.jsonl", lines.joined(separator: "\n"))
        var options = ImportOptions(transactions: transactions, refusals: .keepOthers, refusalLimit: limit)
        let report = try await test.stack.async.importUniqueObjects(
            Into<Place>(), from: file.records(), options: options)
        #expect(report.description == "3000 records: 1000 created, 0 updated, 0 skipped, 2000 refused")
        let refused = (1...3_000).filter { $0 % 3 != 2 }
        #expect(report.refusals.map(\.number) == Array(refused.prefix(max(0, limit))))
        options.refusals = .refuseAll
        let error = await #expect(throws: ImportError.self) {
            _ = try await test.stack.async.importUniqueObjects(Into<Place>(), from: file.records(), options: options)
        }
        guard case .refusedRecords(let described)? = error?.cause else { throw Refusal(method: "no refused records") }
        let seen = transactions == .one ? refused : refused.filter { $0 <= 700 }
        #expect(error?.refusedCount == seen.count)
        #expect(described.map(\.number) == Array(seen.prefix(max(1, limit))))
    }

    @Test func `a pipe is not read again without the refused records`() async throws {
        let test = try TestStack(.sqlite, schema)
        let url = test.directory.appending(path: "pipe.jsonl")
        #expect(mkfifo(url.path(percentEncoded: false), 0o600) == 0)
        let stack = test.stack
        let work = Task {
            try await stack.async.importUniqueObjects(
                Into<Place>(), from: RecordFile(url), options: ImportOptions(refusals: .keepOthers))
        }
        let pipe = try await writingEnd(of: url)
        try pipe.write(contentsOf: Data("{\"code\": \"a\", \"name\": \"refused\"}\n".utf8))
        try pipe.close()
        let error = await #expect(throws: ImportError.self) { _ = try await work.value }
        guard case .file(let cause)? = error?.cause else { throw Refusal(method: "no file error") }
        #expect(
            cause.reason
                == "The file must be read again without the refused records, but it is not a regular file, and is "
                + "empty now. Use a file that does not change, or import in batches.")
    }

    @Test func `a file that was replaced by another of the same length is not read again`() async throws {
        let test = try TestStack(.sqlite, schema)
        let file = try TextFile("a.jsonl", "")
        let url = file.url
        let name = hook { _, _ in
            let text = try String(contentsOf: url, encoding: .utf8)
            try Data(text.replacing("\"A\"", with: "\"Z\"").utf8).write(to: url, options: .atomic)
            throw Refusal(method: "hook")
        }
        try Data(
            "{\"code\": \"a\", \"name\": \"A\"}\n{\"code\": \"b\", \"name\": \"B\", \"hook\": \"\(name)\"}\n".utf8
        ).write(to: url)
        let error = await #expect(throws: ImportError.self) {
            _ = try await test.stack.async.importUniqueObjects(
                Into<Place>(), from: file.records(), options: ImportOptions(refusals: .keepOthers))
        }
        guard case .file(let cause)? = error?.cause else { throw Refusal(method: "no file error") }
        #expect(cause.reason.contains("but it has changed since the first reading."))
        #expect(try places(test.stack) == [])
    }
}
