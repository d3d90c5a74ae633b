import Coffer
import TestSupport
import Testing

private typealias Person = Town.Person

/// Edge cases of streams: deleted objects, large commits, and the first value.
@MainActor
struct StreamEdgeTests {
    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `without the initial value the snapshots of a deleted object are nil and end`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let (ann, bob) = (try #require(try test.person("Ann")), try #require(try test.person("Bob")).objectID())
        let known = test.stack.publishObject(ann)
        #expect(known.snapshot != nil)
        try test.delete("Ann")
        try test.delete("Bob")
        let unknown: ObjectPublisher<Person> = test.stack.publishObject(bob)
        for publisher in [known, unknown] {
            var snapshots = publisher.snapshots(emitInitialValue: false).makeAsyncIterator()
            let last = await snapshots.next()
            #expect(last != nil && last! == nil)
            #expect(await snapshots.next() == nil)
            var names = publisher.values(\.$name, emitInitialValue: false).makeAsyncIterator()
            let name = await names.next()
            #expect(name == .some(nil))
            #expect(await names.next() == nil)
        }
        #expect(test.stack.async.subscriptionCount == 0)
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `an object created and deleted between two values is not reported, even if referenced`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let ann = try #require(try test.person("Ann")).objectID()
        var commits = test.stack.async.commits().makeAsyncIterator()
        let dog = try test.stack.perform(synchronous: { transaction in
            let cat = transaction.create(Into<Person>())
            cat.name = "Cat"
            cat.friends = [try #require(transaction.edit(Into<Person>(), ann))]
            let dog = transaction.create(Into<Town.Pet>())
            dog.master = cat
            return dog.objectID()
        })
        try test.delete("Cat")
        let changes = await commits.next()
        #expect(changes?.insertedIDs == [test.stack.survivor(of: dog)] && changes?.deletedIDs == [])
        #expect(changes?.updatedIDs == [ann])
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `one commit is reported completely, whatever its size`(_ backend: TestBackend) async throws {
        let test = try Town.empty(backend)
        var commits = test.stack.async.commits().makeAsyncIterator()
        try test.stack.perform(synchronous: { transaction in
            for _ in 0..<17_000 { _ = transaction.create(Into<Town.Pet>()) }
        })
        let changes = await commits.next()
        #expect(changes?.isComplete == true && changes?.insertedIDs.count == 17_000)
    }

    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `the first snapshot reports no updates of a commit before the loop`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let list = test.stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        try test.edit("Ann") { $0.age = 2 }
        #expect(list.snapshot.updatedItemIdentifiers.count == 1)
        var snapshots = list.snapshots().makeAsyncIterator()
        let first = await snapshots.next()
        #expect(first == list.snapshot && first?.updatedItemIdentifiers == [])
        try test.edit("Ann") { $0.age = 3 }
        #expect(await snapshots.next()?.updatedItemIdentifiers.count == 1)
    }
}
