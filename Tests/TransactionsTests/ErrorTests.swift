import Coffer
import CofferInMemory
import Foundation
import TestSupport
import Testing

private final class Note: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
}

private final class Letter: CoreStoreObject {}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")])

struct ErrorTests {
    private static let url = URL(filePath: "/tmp/notes.sqlite")
    private static let cause = NSError(domain: "test", code: 7, userInfo: ["why": "because"])

    private static let all: [(error: CoreStoreError, keys: [String])] = [
        (.unknown, []),
        (.differentStorageExistsAtURL(existingPersistentStoreURL: url), ["existingPersistentStoreURL"]),
        (
            .mappingModelNotFound(localStoreURL: url, targetModel: schema.rawModel(), targetModelVersion: "V1"),
            ["localStoreURL", "targetModel", "targetModelVersion"]
        ),
        (.progressiveMigrationRequired(localStoreURL: url), ["localStoreURL"]),
        (.asynchronousMigrationRequired(localStoreURL: url, NSError: cause), ["NSError", "localStoreURL"]),
        (.internalError(NSError: cause), ["NSError"]),
        (.userError(error: Refusal()), ["Error"]),
        (.userCancelled, []),
        (.persistentStoreNotFound(entity: Note.self), ["entity"]),
    ]

    /// The user info key of an error's text, on platforms where Foundation reads the text from the user info.
    #if canImport(Darwin)
        private static let text: [String] = []
    #else
        private static let text = [NSLocalizedDescriptionKey]
    #endif

    @Test(.pins("LOG-01")) func `every case of the error has the expected code, domain and user info`() {
        #expect(CoreStoreErrorDomain == "com.corestore.error")
        #expect(CoreStoreError.errorDomain == CoreStoreErrorDomain)
        #expect(Self.all.map(\.error.errorCode) == Array(0...8))
        #expect(CoreStoreErrorCode.allCases.map(\.rawValue) == Array(0...8))
        #expect(
            CoreStoreErrorCode.allCases == [
                .unknownError, .differentStorageExistsAtURL, .mappingModelNotFound, .progressiveMigrationRequired,
                .asynchronousMigrationRequired, .internalError, .userError, .userCancelled, .persistentStoreNotFound,
            ])
        for (error, keys) in Self.all {
            #expect(Set(error.errorUserInfo.keys) == Set(keys + Self.text))
            #expect((error as any Error).localizedDescription == error.description)
            #expect((error as NSError).localizedDescription == error.description)
        }
    }

    @Test(.pins("LOG-01")) func `the localized description of a storage error is its description`() {
        let error = StorageError(.busy, "'notes' is locked.", operation: "fetch", isRetryable: true)
        #expect((error as any Error).localizedDescription == error.description)
        #expect(error.description == "busy: 'notes' is locked (fetch).")
        #expect(CoreStoreError(error).localizedDescription == error.description)
    }

    @Test(.pins("LOG-01")) func `the description of an error about a file contains the path of the file`() {
        let folder = "/tmp/a folder/of several/"
        let url = URL(filePath: folder + "notes.sqlite")
        let errors: [CoreStoreError] = [
            .differentStorageExistsAtURL(existingPersistentStoreURL: url),
            .mappingModelNotFound(localStoreURL: url, targetModel: schema.rawModel(), targetModelVersion: "V1"),
            .progressiveMigrationRequired(localStoreURL: url),
            .asynchronousMigrationRequired(localStoreURL: url, NSError: Self.cause),
        ]
        for error in errors { #expect(error.localizedDescription.contains("'\(folder)notes.sqlite'")) }
    }

    @Test(.pins("LOG-02")) func `every CoreStoreError can be converted to NSError and back`() {
        #expect(CoreStoreError(nil) == .unknown)
        #expect(CoreStoreError(Self.cause) == .internalError(NSError: Self.cause))
        for (error, keys) in Self.all {
            #expect(CoreStoreError(error) == error)
            let bridged = error as NSError
            #expect(bridged.domain == CoreStoreErrorDomain)
            let plain = NSError(domain: bridged.domain, code: bridged.code, userInfo: error.errorUserInfo)
            for form in [bridged, plain] {
                let again = CoreStoreError(form)
                #expect(again == error)
                #expect(again.errorCode == error.errorCode)
                #expect(Set(again.errorUserInfo.keys) == Set(keys + Self.text))
            }
        }
    }

    @Test(.pins("LOG-02")) func `an error of another domain or an incomplete NSError becomes an internal error`() {
        let swift = CoreStoreError(Refusal())
        #expect(swift == .internalError(NSError: Refusal() as NSError))
        #expect(swift.errorCode == CoreStoreErrorCode.internalError.rawValue)
        for code in [2, 9] {
            let incomplete = NSError(domain: CoreStoreErrorDomain, code: code)
            #expect(CoreStoreError(incomplete) == .internalError(NSError: incomplete))
        }
    }

    @Test(.pins("LOG-03"))
    func `errors with different payloads differ, and errors with equal payloads have equal hashes`() {
        func model(_ version: String) -> ObjectModel {
            CoreStoreSchema(modelVersion: version, entities: [Entity<Note>("Note")]).rawModel()
        }
        func errors(
            _ path: String = "a", model name: String = "V1", version: String = "V1", code: Int = 7,
            entity: any DynamicObject.Type = Note.self
        ) -> [CoreStoreError] {
            let url = URL(filePath: "/tmp/\(path).sqlite")
            let cause = NSError(domain: "test", code: code, userInfo: ["why": "because"])
            return [
                .differentStorageExistsAtURL(existingPersistentStoreURL: url),
                .mappingModelNotFound(localStoreURL: url, targetModel: model(name), targetModelVersion: version),
                .progressiveMigrationRequired(localStoreURL: url),
                .asynchronousMigrationRequired(localStoreURL: url, NSError: cause),
                .internalError(NSError: cause), .userError(error: cause), .persistentStoreNotFound(entity: entity),
            ]
        }
        /// The indexes at which both lists have equal errors.
        func equals(_ others: [CoreStoreError]) -> [Int] {
            zip(errors(), others).enumerated().filter { $0.element.0 == $0.element.1 }.map(\.offset)
        }
        #expect(equals(errors()) == Array(0...6))
        #expect(errors().map(\.hashValue) == errors().map(\.hashValue))
        #expect(equals(errors("b")) == [4, 5, 6])
        #expect(equals(errors(model: "V2")) == [0, 2, 3, 4, 5, 6])
        #expect(equals(errors(version: "V2")) == [0, 2, 3, 4, 5, 6])
        #expect(equals(errors(code: 8)) == [0, 1, 2, 6])
        #expect(equals(errors(entity: Letter.self)) == [0, 1, 2, 3, 4, 5])
    }

    @Test(.pins("LOG-03")) func `errors with the same case and payload are equal and have equal hashes`() {
        for (index, one) in Self.all.enumerated() {
            for (other, two) in Self.all.enumerated() { #expect((one.error == two.error) == (index == other)) }
            #expect(one.error.hashValue == CoreStoreError(one.error as NSError).hashValue)
        }
        #expect(Set(Self.all.map(\.error)).count == 9)
        let copy = NSError(domain: "test", code: 7, userInfo: ["why": "because"])
        #expect(CoreStoreError.userError(error: Self.cause) == .userError(error: copy))
        let other = NSError(domain: "test", code: 8)
        #expect(CoreStoreError.userError(error: Self.cause) != .userError(error: other))
        #expect(CoreStoreError.internalError(NSError: Self.cause) != .internalError(NSError: other))
    }

    @Test(.pins("LOG-04")) func `transactions, reads and storage calls use typed throws of CoreStoreError`() {
        let stack = DataStack(schema)
        func typed(_ body: () throws(CoreStoreError) -> Void) -> CoreStoreError? {
            do throws(CoreStoreError) {
                try body()
                return nil
            } catch {
                return error
            }
        }
        let missing = CoreStoreError.persistentStoreNotFound(entity: Note.self)
        #expect(
            typed { () throws(CoreStoreError) in
                try stack.perform(synchronous: { _ = try $0.fetchAll(From<Note>()) }, waitForAllObservers: false)
            } == missing)
        #expect(
            typed { () throws(CoreStoreError) in
                _ = try stack.read({ try $0.fetchCount(From<Note>()) })
            } == missing)
        let unsafe = stack.beginUnsafe()
        #expect(typed { () throws(CoreStoreError) in _ = try unsafe.fetchOne(From<Note>()) } == missing)
        #expect(typed { () throws(CoreStoreError) in _ = try unsafe.fetchObjectIDs(From<Note>()) } == missing)
        #expect(typed { () throws(CoreStoreError) in _ = try unsafe.deleteAll(From<Note>()) } == missing)
        #expect(
            typed { () throws(CoreStoreError) in
                _ = try unsafe.queryValue(From<Note>(), Select<Note, Int>(.count(\.$text)))
            } == missing)
        #expect(typed { () throws(CoreStoreError) in try unsafe.commitAndWait() } == nil)
        #expect(typed { () throws(CoreStoreError) in _ = try stack.addStorageAndWait(InMemoryStore()) } == nil)
    }

    @MainActor
    @Test(.pins("LOG-04")) func `fetches, queries, migrations and cancel use typed throws of CoreStoreError`()
        throws
    {
        let stack = DataStack(schema)
        func thrown(_ body: () throws(CoreStoreError) -> Void) -> CoreStoreError? {
            do throws(CoreStoreError) {
                try body()
                return nil
            } catch {
                return error
            }
        }
        let select = Select<Note, NSDictionary>(.attribute(\.$text))
        let missing = CoreStoreError.persistentStoreNotFound(entity: Note.self)
        let errors = [
            thrown { () throws(CoreStoreError) in _ = try stack.fetchAll(From<Note>().where(\.$text == "a")) },
            thrown { () throws(CoreStoreError) in _ = try stack.fetchOne(From<Note>()) },
            thrown { () throws(CoreStoreError) in _ = try stack.fetchCount(From<Note>()) },
            thrown { () throws(CoreStoreError) in _ = try stack.fetchObjectID(From<Note>()) },
            thrown { () throws(CoreStoreError) in _ = try stack.fetchObjectIDs(From<Note>()) },
            thrown { () throws(CoreStoreError) in _ = try stack.queryAttributes(From<Note>(), select) },
        ]
        #expect(errors == Array(repeating: missing, count: 6))
        let store = InMemoryStore()
        #expect(thrown { () throws(CoreStoreError) in _ = try stack.requiredMigrationsForStorage(store) } == nil)
        let upgrade = thrown { () throws(CoreStoreError) in _ = try stack.upgradeStorageIfNeeded(store) { _ in } }
        #expect(upgrade?.storageError?.code == .unavailable)
        try stack.addStorageAndWait(store)
        let cancelled = thrown { () throws(CoreStoreError) in
            try stack.perform(
                synchronous: { transaction in
                    let inner = thrown { () throws(CoreStoreError) in try transaction.cancel() }
                    #expect(inner == .userCancelled)
                    try transaction.cancel()
                }, waitForAllObservers: false)
        }
        #expect(cancelled == .userCancelled)
    }

    @Test(.pins("LOG-05")) func `log levels are ordered from trace to fatal`() {
        #expect(LogLevel.trace < .notice)
        #expect(LogLevel.notice < .warning)
        #expect(LogLevel.warning < .fatal)
        #expect(LogLevel.allCases == [.trace, .notice, .warning, .fatal])
    }

    @Test(.pins("LOG-06"))
    func `the default logger stops a debug build on a failed assertion, and any build on an abort`() async {
        let assertion = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DefaultLogger().assert(true, message: "fine", fileName: "f", lineNumber: 1, functionName: "g")
            DefaultLogger().assert(false, message: "not fine", fileName: "f", lineNumber: 1, functionName: "g")
        }
        let abort = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DefaultLogger().abort("the end", fileName: "f", lineNumber: 1, functionName: "g")
        }
        let texts = [assertion, abort].map { String(decoding: $0?.standardErrorContent ?? [], as: UTF8.self) }
        #expect(texts[0].contains("not fine"))
        #expect(texts[1].contains("the end"))
    }

    @Test(.pins("LOG-06")) func `the default logger prints errors and all levels except trace to standard error`() async
    {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for level in LogLevel.allCases {
                DefaultLogger().log(level: level, message: "m", fileName: "f", lineNumber: 1, functionName: "g")
            }
            DefaultLogger().log(error: .userCancelled, message: "m", fileName: "f", lineNumber: 1, functionName: "g")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for level in ["notice", "warning", "fatal", "error"] {
            #expect(text.contains("[Coffer] \(level): f:1 g\n  m\n"))
        }
        #expect(text.contains("  userCancelled: The operation was cancelled.\n"))
        #expect(!text.contains("[Coffer] trace"))
    }

    @Test(.pins("LOG-08")) func `the program stops even if the logger's abort returns`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            CoreStoreDefaults.logger = SilentLogger()
            let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
            try stack.perform(synchronous: { _ = $0.create(Into<Note>()) }, waitForAllObservers: false)
            exit(0)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("The data stack has no storage for 'Note'. Call 'addStorageAndWait' first."))
    }

    @Test(.pins("STO-29")) func `reading an unset default stack stops the program, and the default stack can be set`()
        async
    {
        let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CoreStoreDefaults.dataStack
        }
        let text = String(decoding: none?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("There is no default data stack. Set 'CoreStoreDefaults.dataStack' before using it."))
        await #expect(processExitsWith: .success) {
            let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
            CoreStoreDefaults.dataStack = stack
            exit(CoreStoreDefaults.dataStack === stack ? 0 : 1)
        }
    }

    @Test(.pins("STO-29")) func `the default stack and the logger can be read and set from many threads`() async {
        await #expect(processExitsWith: .success) {
            let stacks = (0..<4).map { index in
                DataStack(CoreStoreSchema(modelVersion: "V\(index)", entities: [Entity<Note>("Note")]))
            }
            CoreStoreDefaults.dataStack = stacks[0]
            DispatchQueue.concurrentPerform(iterations: 2_000) { index in
                if index % 2 == 0 {
                    CoreStoreDefaults.dataStack = stacks[index / 2 % 4]
                    CoreStoreDefaults.logger = SilentLogger()
                }
                precondition(stacks.contains(CoreStoreDefaults.dataStack))
                _ = CoreStoreDefaults.logger
            }
            exit(CoreStoreDefaults.logger is SilentLogger ? 0 : 1)
        }
    }
}

/// A logger that does nothing and does not stop the program.
private struct SilentLogger: CoreStoreLogger {
    func log(level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString) {}

    func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {}

    func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    ) {}

    func abort(_ message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString) {}
}
