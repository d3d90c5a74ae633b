import Coffer
import CofferStorage
import TestSupport
import Testing

/// Imports by `stack.async`.
@MainActor
struct AsyncImportTests {
    private typealias Member = Club.Member
    private typealias Note = Club.Note

    @Test(.pins("TX-14"), arguments: TestBackend.allCases)
    func `asynchronous imports return the objects of the stack`(_ backend: TestBackend) async throws {
        let test = try Club.filled(backend)
        let stack = test.stack
        let note = try #require(try await stack.async.importObject(Into<Note>(), source: ["text": "a"]))
        #expect(note.fetchSource() === stack)
        #expect(try stack.fetchOne(From<Note>()) === note)
        let same = try await stack.async.importObject(note, source: ["text": "b"])
        #expect(same === note)
        #expect((note.text, note.count) == ("b", 2))
        #expect(try await stack.async.importObject(Into<Note>(), source: ["skip": ""]) == nil)
        let member = try await stack.async.importUniqueObject(Into<Member>(), source: .init(number: 1, name: "Amy"))
        #expect(member === (try stack.fetchOne(From<Member>().where(\.$number == 1))))
        #expect(member?.name == "Amy")
        #expect(try await stack.async.importUniqueObject(Into<Member>(), source: .init(number: nil)) == nil)
        let sources = [(5, "Eve"), (2, "Bea"), (6, "Fay"), (2, "Bo")].map { Club.Source(number: $0.0, name: $0.1) }
        let members = try await stack.async.importUniqueObjects(Into<Member>(), sourceArray: sources) { mapping in
            mapping.filter { $0.key != 6 }
        }
        #expect(members.map(\.name) == ["Eve", "Bo"])
        #expect(members.allSatisfy { $0.fetchSource() === stack })
        #expect(try Club.members(stack) == ["1 Amy", "2 Bo", "3 Cat", "5 Eve"])
    }

    @Test(.pins("TX-14"), arguments: TestBackend.allCases)
    func `an asynchronous import that throws saves nothing`(_ backend: TestBackend) async throws {
        let test = try Club.filled(backend)
        let sources = [Club.Source(number: 1, name: "Amy"), .init(number: 4, name: "Dan", fails: .didInsert)]
        let error = await #expect(throws: CoreStoreError.self) {
            _ = try await test.stack.async.importUniqueObjects(Into<Member>(), sourceArray: sources)
        }
        guard case .userError(let thrown) = error else { throw Refusal(method: "no user error") }
        #expect(thrown as? Refusal == Refusal(method: "didInsert"))
        #expect(try Club.members(test.stack) == ["1 Ann", "2 Bob", "3 Cat"])
    }

    @Test(.pins("TX-14"), arguments: TestBackend.allCases)
    func `an asynchronous import into a deleted object is cancelled`(_ backend: TestBackend) async throws {
        let test = try Club.filled(backend)
        let note = try #require(try await test.stack.async.importObject(Into<Note>(), source: ["text": "a"]))
        try test.stack.perform(synchronous: { $0.delete(note) })
        await #expect(throws: CoreStoreError.userCancelled) {
            _ = try await test.stack.async.importObject(note, source: ["text": "b"])
        }
    }

    @Test(.pins("TX-14"), arguments: TestBackend.allCases)
    func `an asynchronous import throws when the saved objects cannot be read`(
        _ backend: TestBackend
    ) async throws {
        let probed = try ProbedStack(backend, Club.schema)
        let source = Club.Source(number: 1, name: "Ann")
        // After the commit, the stack reads the object.
        probed.store.atNext(.commit) { [store = probed.store] in store.fail(.read) }
        let error = await #expect(throws: CoreStoreError.self) {
            _ = try await probed.stack.async.importUniqueObject(Into<Member>(), source: source)
        }
        #expect(error?.storageError?.message == "The disk is on fire.")
        #expect(!probed.store.stopFailing(.read))
        #expect(try Club.members(probed.stack) == ["1 Ann"])
    }
}
