import Coffer
import CofferInMemory
import CofferSQLite
import Foundation
import TestSupport
import Testing

private final class QuietMemo: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
    @Field.Coded("tags", coder: FieldCoders.Json.self) var tags: [String] = []
    @Field.Relationship("folder") var folder: QuietFolder?
}

private final class QuietFolder: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("memos", inverse: \.$folder, deleteRule: .cascade) var memos: [QuietMemo]
}

/// The messages that a logger receives, and the events that are not logged.
@MainActor
struct LoggingTests {
    /// A logger without `abort`, which is the only requirement with a default implementation.
    private struct Quiet: CoreStoreLogger {
        func log(
            level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
        ) {}
        func log(
            error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
        ) {}
        func assert(
            _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
            lineNumber: Int, functionName: StaticString
        ) {}
    }

    /// Prints all messages except traces.
    private struct Loud: CoreStoreLogger {
        private func say(_ text: String) {
            FileHandle.standardError.write(Data("heard \(text)\n".utf8))
        }

        func log(
            level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
        ) {
            if level > .trace { say("\(level) \(message)") }
        }

        func log(
            error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
        ) { say("error \(message)") }

        func assert(
            _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
            lineNumber: Int, functionName: StaticString
        ) { if !condition() { say("assertion \(message())") } }
    }

    @Test(.pins("LOG-05")) func `an abort stops the program if the logger does not implement abort`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Quiet().abort("the end of it", fileName: "f", lineNumber: 1, functionName: "g")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the end of it"))
    }

    /// Runs a program without mistakes.
    nonisolated private static func work(on storage: any StorageInterface) async throws {
        CoreStoreDefaults.logger = Loud()
        let schema = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<QuietMemo>("QuietMemo"), Entity<QuietFolder>("QuietFolder")])
        let stack = DataStack(schema, viewQueue: DispatchQueue(label: "view"))
        try TestStack.add(storage, to: stack)
        try stack.perform(synchronous: { transaction in
            let folder = transaction.create(Into<QuietFolder>())
            folder.name = "all"
            for text in ["a", "b", "c"] {
                let memo = transaction.create(Into<QuietMemo>())
                memo.text = text
                memo.tags = [text]
                memo.folder = folder
            }
        })
        try await stack.async.perform { transaction in
            for memo in try transaction.fetchAll(From<QuietMemo>().where(\.$text > "a").orderBy(.ascending(\.$text))) {
                memo.text += memo.folder?.name ?? ""
                memo.tags.append("x")
            }
        }
        try cancel(in: stack)
        try show(stack)
        try draft(in: stack)
        let count = try await stack.async.read { try $0.fetchCount(From<QuietMemo>()) }
        stack.unsafeRemoveAllPersistentStoresAndWait()
        guard count == 1 else { throw CocoaError(.featureUnsupported) }
    }

    nonisolated private static func cancel(in stack: DataStack) throws {
        let result = Result {
            try stack.perform(synchronous: { transaction in
                try transaction.deleteAll(From<QuietFolder>())
                try transaction.cancel()
            })
        }
        guard case .failure(let error) = result, error as? CoreStoreError == .userCancelled else {
            throw CocoaError(.featureUnsupported)
        }
    }

    nonisolated private static func show(_ stack: DataStack) throws {
        try stack.viewQueue.sync {
            let list = stack.publishList(From<QuietMemo>().sectionBy(\.$text).orderBy(.ascending(\.$text)))
            let monitor = stack.monitorList(From<QuietMemo>(), OrderBy<QuietMemo>(.descending(\.$text)))
            let folder = try stack.fetchOne(From<QuietFolder>())
            guard let folder, folder.memos.count == 3, list.snapshot.numberOfItems == 3, monitor.numberOfObjects() == 3
            else { throw CocoaError(.featureUnsupported) }
            _ = folder.asSnapshot()
            _ = try stack.queryAttributes(
                From<QuietMemo>().select(NSDictionary.self, .attribute(\.$text), .count(\.$tags)).groupBy(\.$text))
            _ = try stack.fetchOne(From<QuietMemo>().where(\.$text == "none"))
            try stack.perform(synchronous: { $0.delete($0.edit(folder)) })
        }
    }

    nonisolated private static func draft(in stack: DataStack) throws {
        let unsafe = stack.beginUnsafe(supportsUndo: true)
        let memo = unsafe.create(Into<QuietMemo>())
        unsafe.flush { memo.text = "draft" }
        unsafe.undo()
        unsafe.redo()
        try unsafe.commitAndWait()
    }

    @Test(.pins("LOG-07")) func `a correct program logs nothing`() async throws {
        let memory = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await LoggingTests.work(on: InMemoryStore())
        }
        let sqlite = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let directory = try TestStack.makeDirectory()
            try await LoggingTests.work(on: TestBackend.sqlite.makeStore("quiet", in: directory))
        }
        let postgresql = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            guard Postgres.url != nil else { return }
            let directory = try TestStack.makeDirectory()
            try await LoggingTests.work(on: TestBackend.postgresql.makeStore("quiet", in: directory))
            TestStack.remove(directory)
        }
        for result in [memory, sqlite, postgresql] {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(!text.contains("heard "), "\(text)")
        }
    }

    @Test(.pins("CLS-03"), arguments: TestBackend.allCases)
    func `a fetch after the stack was deallocated throws unknown and logs a warning and one error`(
        _ backend: TestBackend
    ) throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        final class Orphan: CoreStoreObject {
            @Field.Stored("text") var text: String = ""
        }
        var stack: DataStack? = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Orphan>("Orphan")]))
        try TestStack.addStore(backend, to: try #require(stack), in: directory)
        let transaction = try #require(stack?.beginUnsafe())
        stack = nil
        let calls: [(String, () throws -> Void)] = [
            ("fetch", { _ = try transaction.fetchAll(From<Orphan>()) }),
            ("fetch", { _ = try transaction.fetchOne(From<Orphan>()) }),
            ("count", { _ = try transaction.fetchCount(From<Orphan>()) }),
            ("fetch", { _ = try transaction.fetchObjectIDs(From<Orphan>()) }),
            ("query", { _ = try transaction.queryValue(From<Orphan>().select(Int.self, .count(\.$text))) }),
            ("delete", { _ = try transaction.deleteAll(From<Orphan>()) }),
        ]
        for (operation, call) in calls {
            let log = RecordingLogger.record("'Orphan'") {
                let errors = RecordingLogger.record("unknown: The data stack was deallocated") {
                    let error = #expect(throws: CoreStoreError.self) { try call() }
                    #expect(error == .unknown)
                }
                #expect(errors.entries == [.error(.unknownError, "The \(operation) failed.")])
            }
            #expect(
                log.entries == [
                    .message(
                        .warning, "'Orphan' was requested after its data stack was deallocated. Retain the data stack.")
                ])
        }
    }
}
