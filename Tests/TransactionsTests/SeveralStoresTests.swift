import Coffer
import CofferInMemory
import CofferSQLite
import Foundation
import TestSupport
import Testing

private final class Note: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
    @Field.Stored("rank") var rank: Int = 0
}

private final class Secret: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
}

private let schema = CoreStoreSchema(
    modelVersion: "V1",
    entityConfigurations: [Entity<Note>("Note"): ["one", "two"], Entity<Secret>("Secret"): ["two"]]
)

/// A stack with a store for the configuration "one" and a probed store for "two"; both contain notes.
@MainActor
private struct Desk {
    let stack = DataStack(schema)
    let two: ProbedStore
    let directory: URL

    init(_ backend: TestBackend) throws {
        directory = try TestStack.makeDirectory()
        try TestStack.addStore(backend, to: stack, in: directory, configuration: "one")
        two = ProbedStore(
            try backend.makeStore("two", in: directory, configuration: "two")
        )
        try stack.addStorageAndWait(two)
        try stack.perform(synchronous: { transaction in
            for rank in 1...6 {
                let note = transaction.create(Into<Note>(rank % 2 == 0 ? "two" : "one"))
                note.rank = rank
                note.text = "n\(rank)"
            }
        })
    }

    func close() {
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try? FileManager.default.removeItem(at: directory)
    }
}

@MainActor
struct SeveralStoresTests {
    @Test(arguments: TestBackend.allCases)
    func `fetchEach visits the objects of several stores in one order`(_ backend: TestBackend) throws {
        let desk = try Desk(backend)
        defer { desk.close() }
        let texts = try desk.stack.read { reading in
            var texts: [String] = []
            try reading.fetchEach(From<Note>().orderBy(.descending(\.$rank)).tweak { $0.fetchBatchSize = 4 }) {
                texts.append($0.text)
            }
            return texts
        }
        #expect(texts == ["n6", "n5", "n4", "n3", "n2", "n1"])
    }

    @Test(.pins("TX-20"), arguments: TestBackend.allCases)
    func `creating an object needs no configuration if only one store has its class`(_ backend: TestBackend) throws {
        let desk = try Desk(backend)
        defer { desk.close() }
        let ids = try desk.stack.perform(synchronous: { transaction in
            [transaction.create(Into<Secret>()).objectID(), transaction.create(Into<Note>("two")).objectID()]
        })
        #expect(ids[0].store == ids[1].store)
    }

    @Test(.pins("STO-08", "TX-30"), arguments: TestBackend.allCases)
    func `fetches merge the objects of several stores in order`(_ backend: TestBackend) throws {
        let desk = try Desk(backend)
        defer { desk.close() }
        let byRank = OrderBy<Note>(.descending(\.$rank))
        func ranks(_ source: any FetchableSource, _ from: From<Note>, _ clauses: any FetchClause...) throws -> [Int] {
            try source.fetchAll(from, clauses).map(\.rank)
        }
        let stack = desk.stack
        #expect(try ranks(stack, From<Note>(), byRank) == [6, 5, 4, 3, 2, 1])
        #expect(try ranks(stack, From<Note>("one"), byRank) == [5, 3, 1])
        #expect(try ranks(stack, From<Note>("two"), byRank) == [6, 4, 2])
        #expect(try ranks(stack, From<Note>("one", "two"), byRank, Tweak { $0.fetchLimit = 3 }) == [6, 5, 4])
        let window = Tweak {
            $0.fetchOffset = 2
            $0.fetchLimit = 2
        }
        #expect(try ranks(stack, From<Note>(), byRank, window) == [4, 3])
        #expect(try stack.fetchCount(From<Note>()) == 6)
        #expect(try stack.fetchCount(From<Note>(), window) == 2)
        #expect(try stack.fetchObjectIDs(From<Note>(), byRank, window).count == 2)
        #expect(try stack.queryValue(From<Note>().select(Int.self, .sum(\.$rank))) == 21)
        let affected = Tweak { $0.affectedStores = [desk.two] }
        #expect(try ranks(stack, From<Note>(), byRank, affected) == [6, 4, 2])
        try stack.perform(synchronous: { transaction in
            transaction.create(Into<Note>("one")).rank = 10
            let six = try #require(try transaction.fetchOne(From<Note>().where(\.$rank == 6)))
            six.rank = 0
            let pending = try ranks(transaction, From<Note>(), byRank, Tweak { $0.fetchLimit = 4 })
            #expect(pending == [10, 5, 4, 3])
        })
        #expect(try ranks(stack, From<Note>(), byRank) == [10, 5, 4, 3, 2, 1, 0])
    }

    @Test(.pins("CLS-01", "CLS-03"), arguments: TestBackend.allCases)
    func `a fetch uses only stores whose configurations contain the class`(
        _ backend: TestBackend
    ) throws {
        let desk = try Desk(backend)
        defer { desk.close() }
        let stack = desk.stack
        try stack.perform(synchronous: { $0.create(Into<Secret>()).text = "s" })
        for from in [From<Secret>(), From(Secret.self), From<Secret>("two"), From<Secret>("one", "two")] {
            #expect(try stack.fetchAll(from).map(\.text) == ["s"])
            #expect(try stack.queryValue(from.select(Int.self, .count(\.$text))) == 1)
        }
        for from in [From<Secret>("one"), From<Secret>(nil), From<Secret>(nil, "one")] {
            let log = RecordingLogger.record("'Secret'") {
                let fetch = #expect(throws: CoreStoreError.self) { try stack.fetchAll(from) }
                #expect(fetch == .persistentStoreNotFound(entity: Secret.self))
                let query = #expect(throws: CoreStoreError.self) {
                    try stack.queryValue(from.select(Int.self, .count(\.$text)))
                }
                #expect(query == .persistentStoreNotFound(entity: Secret.self))
            }
            #expect(log.errors == ["The fetch failed.", "The query failed."])
        }
    }

    @Test(.pins("FQ-02"), arguments: TestBackend.allCases)
    func `fetchObjectIDs returns the ids of several stores in the requested order`(_ backend: TestBackend) throws {
        let desk = try Desk(backend)
        defer { desk.close() }
        let byRank = OrderBy<Note>(.ascending(\.$rank))
        let ids = try desk.stack.fetchObjectIDs(From<Note>(), byRank)
        #expect(try desk.stack.fetchObjectID(From<Note>(), byRank) == ids[0])
        _ = desk.two.takeRequests()
        // The rows are read only for an order.
        #expect(try Set(desk.stack.fetchObjectIDs(From<Note>())) == Set(ids))
        #expect(!desk.two.takeRequests().contains { $0.hasPrefix("rows") })
        #expect(try desk.stack.fetchCount(From<Note>()) == 6)
        #expect(desk.two.takeRequests() == ["count Note"])
        let notes: [Note] = desk.stack.fetchExisting(ids)
        #expect(notes.map(\.rank) == [1, 2, 3, 4, 5, 6])
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `deleteAll deletes only in the stores of its From clause`(_ backend: TestBackend) throws {
        let desk = try Desk(backend)
        defer { desk.close() }
        try desk.stack.perform(synchronous: { transaction in
            transaction.create(Into<Note>("two")).rank = 8
            let odd = try transaction.deleteAll(From<Note>("one").where(\.$rank > 1))
            #expect(odd == 2)
            let greatest = try transaction.deleteAll(From<Note>().orderBy(.descending(\.$rank)).limit(2))
            #expect(greatest == 2)
        })
        let ranks = try desk.stack.fetchAll(From<Note>().orderBy(.ascending(\.$rank))).map(\.rank)
        #expect(ranks == [1, 2, 4])
    }

    @Test(.pins("TX-23"), arguments: TestBackend.allCases)
    func `editing with another configuration than the object's fails an assertion`(_ backend: TestBackend) throws {
        let desk = try Desk(backend)
        defer { desk.close() }
        let one = try #require(try desk.stack.fetchOne(From<Note>("one")))
        let recording = try RecordingLogger.record("is not in the store of the configuration 'two'.") {
            try desk.stack.perform(synchronous: { transaction in
                #expect(transaction.edit(Into<Note>("one"), one.objectID()) != nil)
                _ = transaction.edit(Into<Note>("two"), one.objectID())
            })
        }
        #expect(recording.assertions == ["\(one.objectID()) is not in the store of the configuration 'two'."])
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases)
    func `if the second store fails, the changes saved by the first store are no longer pending`(
        _ backend: TestBackend
    ) throws {
        let desk = try Desk(backend)
        defer { desk.close() }
        let unsafe = desk.stack.beginUnsafe()
        let one = unsafe.create(Into<Note>("one"))
        one.text = "in one"
        let two = unsafe.create(Into<Note>("two"))
        two.text = "in two"
        desk.two.fail(.commit)
        let error = #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        let saved = try backend.makeStore("one", in: desk.directory, configuration: "one").storeDescription
        #expect(
            error?.description
                == "failed: The disk is on fire. The changes in \(saved) were already saved. Do not repeat them (save, "
                + "ProbedStore).")
        #expect(unsafe.insertedObjects(Note.self) == [two])
        #expect(try desk.stack.fetchCount(From<Note>().where(\.$text == "in one")) == 1)
        #expect(try desk.stack.fetchCount(From<Note>().where(\.$text == "in two")) == 0)
        one.text = "still in one"
        try unsafe.commitAndWait()
        #expect(try desk.stack.fetchCount(From<Note>()) == 8)
        #expect(try desk.stack.fetchCount(From<Note>().where(\.$text == "still in one")) == 1)
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases)
    func `after only some stores have saved a transaction, its error is not retryable`(_ backend: TestBackend) throws {
        let desk = try Desk(backend)
        defer { desk.close() }
        desk.two.fail(.commit, with: StorageError(.busy, "Another process writes. Try again.", isRetryable: true))
        let recording = RecordingLogger.record("Another process writes") {
            let error = #expect(throws: CoreStoreError.self) {
                try desk.stack.perform(synchronous: { transaction in
                    transaction.create(Into<Note>("one")).rank = 7
                    transaction.create(Into<Note>("two")).rank = 7
                })
            }
            #expect(error?.storageError?.isRetryable == false)
        }
        #expect(recording.errors.contains { $0.contains("was saved in part") })
        #expect(try desk.stack.fetchCount(From<Note>("one").where(\.$rank == 7)) == 1)
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases)
    func `after a store fails, its unsaved changes stay pending with the same values`(_ backend: TestBackend) throws {
        let desk = try Desk(backend)
        defer { desk.close() }
        func note(_ rank: Int, _ source: any FetchableSource) throws -> Note {
            try #require(try source.fetchOne(From<Note>().where(\.$rank == rank)))
        }
        let unsafe = desk.stack.beginUnsafe(supportsUndo: true)
        let (one, two) = (try note(1, unsafe), try note(2, unsafe))
        one.text = "in one"
        two.text = "in two"
        // The commit merges the other saved value before the store fails.
        try desk.stack.perform(synchronous: { try note(2, $0).rank = 7 })
        desk.two.fail(.commit)
        #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        #expect("\(two.text) \(two.rank)" == "in two 2")
        #expect(unsafe.updatedObjects(Note.self) == [two])
        try unsafe.commitAndWait()
        #expect(try desk.stack.read { try note(7, $0).text } == "in two")
        #expect(try desk.stack.read { try note(1, $0).text } == "in one")
    }

    @Test(.pins("TX-20")) func `create stops the program with a reason if no store or several stores match`() async {
        let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
            try stack.perform(synchronous: { _ = $0.create(Into<Note>()) }, waitForAllObservers: false)
        }
        let several = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
            try stack.addStorageAndWait(InMemoryStore())
            try stack.addStorageAndWait(InMemoryStore())
            try stack.perform(synchronous: { _ = $0.create(Into<Note>()) }, waitForAllObservers: false)
        }
        let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
            try stack.addStorageAndWait(InMemoryStore())
            try stack.perform(synchronous: { _ = $0.create(Into<Note>("three")) }, waitForAllObservers: false)
        }
        func text(_ result: ExitTest.Result?) -> String {
            String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        }
        #expect(text(none).contains("The data stack has no storage for 'Note'. Call 'addStorageAndWait' first."))
        #expect(text(several).contains("Several storages contain 'Note'. Name a configuration in 'Into'."))
        #expect(text(wrong).contains("The configuration 'three' has no storage for 'Note'."))
    }
}
