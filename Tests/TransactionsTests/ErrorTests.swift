import Coffer
import CofferInMemory
import Foundation
import TestSupport
import Testing

private final class Note: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
}

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

    /// Where Foundation reads an error's text from its user info, it is there too.
    #if canImport(Darwin)
        private static let text: [String] = []
    #else
        private static let text = [NSLocalizedDescriptionKey]
    #endif

    @Test func `LOG-01 codes, domain and user info of every case`() {
        #expect(CoreStoreErrorDomain == "com.corestore.error")
        #expect(CoreStoreError.errorDomain == CoreStoreErrorDomain)
        #expect(Self.all.map(\.error.errorCode) == Array(0...8))
        #expect(CoreStoreErrorCode.allCases.map(\.rawValue) == Array(0...8))
        for (error, keys) in Self.all {
            #expect(Set(error.errorUserInfo.keys) == Set(keys + Self.text))
            #expect((error as any Error).localizedDescription == error.description)
            #expect((error as NSError).localizedDescription == error.description)
        }
    }

    @Test func `LOG-02 any error becomes a CoreStoreError, and comes back from its NSError`() {
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

    @Test func `LOG-03 errors are equal by case and payload, and hash alike`() {
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

    @Test func `LOG-04 every call throws a CoreStoreError and says so by its type`() {
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

    @Test func `LOG-05 levels are ordered`() {
        #expect(LogLevel.trace < .notice)
        #expect(LogLevel.notice < .warning)
        #expect(LogLevel.warning < .fatal)
        #expect(LogLevel.allCases == [.trace, .notice, .warning, .fatal])
    }

    @Test func `LOG-06 the default logger stops a debug build on a failed assertion, and any build on an abort`() async
    {
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

    @Test func `LOG-06 the default logger prints errors and all levels but trace to standard error`() async {
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
        #expect(text.contains("  userCancelled: The transaction was cancelled.\n"))
        #expect(!text.contains("[Coffer] trace"))
    }

    @Test func `LOG-08 the program stops even if the logger's abort returns`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            CoreStoreDefaults.logger = SilentLogger()
            let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
            try stack.perform(synchronous: { _ = $0.create(Into<Note>()) }, waitForAllObservers: false)
            exit(0)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("No storage was added that holds 'Note'. Call 'addStorageAndWait' first."))
    }

    @Test func `STO-29 without a default stack the program stops with a reason, and one can be set`() async {
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
}

/// Does nothing, not even stop.
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
