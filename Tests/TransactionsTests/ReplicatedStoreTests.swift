import Coffer
import TestSupport
import Testing

private final class Note: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")])

/// Stores that can also be read from replicas.
@MainActor
struct ReplicatedStoreTests {
    @Test(arguments: TestBackend.allCases)
    func `transactions read from the primary, and other reads can use a replica`(_ backend: TestBackend) async throws {
        let test = try ProbedStack(backend, schema)
        let (stack, store) = (test.stack, test.store)
        #expect(try stack.fetchCount(From<Note>()) == 0)
        #expect(try await stack.async.read { try $0.fetchCount(From<Note>()) } == 0)
        #expect(store.currentReaderCount == 0)
        let counts = try stack.perform(synchronous: { transaction in
            transaction.create(Into<Note>()).text = "a"
            return [try transaction.fetchCount(From<Note>()), try transaction.fetchCount(From<Note>())]
        })
        #expect(counts == [1, 1])
        #expect(store.currentReaderCount == 1)
        let unsafe = stack.beginUnsafe()
        #expect(try unsafe.fetchCount(From<Note>()) == 1)
        #expect(store.currentReaderCount == 2)
        #expect(try stack.fetchCount(From<Note>()) == 1)
        #expect(store.currentReaderCount == 2)
    }
}
