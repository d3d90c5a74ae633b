import Coffer
import TestSupport
import Testing

/// The commits of a stack as an asynchronous sequence.
@MainActor
struct CommitStreamTests {
    private typealias Person = Town.Person

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a commit names its inserted, changed and deleted objects and its source`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let (ann, bob) = (
            try #require(try test.person("Ann")).objectID(), try #require(try test.person("Bob")).objectID()
        )
        var commits = test.stack.async.commits().makeAsyncIterator()
        try test.stack.perform(
            synchronous: { transaction in
                transaction.create(Into<Person>()).name = "Cat"
                try transaction.fetchOne(From<Person>().where { $0.$name == "Ann" })?.age = 10
                try transaction.deleteAll(From<Person>().where { $0.$name == "Bob" })
            }, sourceIdentifier: "the office")
        let cat = try #require(try test.person("Cat")).objectID()
        let first = await commits.next()
        #expect(first?.insertedIDs == [cat] && first?.updatedIDs == [ann] && first?.deletedIDs == [bob])
        #expect(first?.sourceIdentifiers.map { $0 as? String } == ["the office"] && first?.isComplete == true)
        #expect(first?.concerns(bob) == true && first?.concerns(ann) == true)
        // The inverse of the relationship changed too.
        try test.stack.perform(synchronous: { transaction in
            let dog = transaction.create(Into<Town.Pet>())
            dog.master = try transaction.fetchOne(From<Person>().where { $0.$name == "Cat" })
        })
        let second = await commits.next()
        #expect(second?.insertedIDs.count == 1 && second?.updatedIDs == [cat] && second?.deletedIDs == [])
        #expect(second?.sourceIdentifiers.map { $0 == nil } == [true] && second?.concerns(ann) == false)
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a slow reader receives the missed commits as one commit`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Eve": 5])
        let bob = try #require(try test.person("Bob")).objectID()
        let eve = try #require(try test.person("Eve")).objectID()
        var commits = test.stack.async.commits().makeAsyncIterator()
        try test.add("Cat", 3, source: 1)
        try test.edit("Cat", source: 2) { $0.age = 30 }
        try test.add("Dan", 4, source: 3)
        try test.delete("Dan", source: 4)
        try test.edit("Bob", source: 5) { $0.age = 20 }
        try test.delete("Bob", source: 6)
        try test.edit("Eve", source: 7) { $0.age = 50 }
        let cat = try #require(try test.person("Cat")).objectID()
        let changes = await commits.next()
        #expect(changes?.insertedIDs == [cat] && changes?.updatedIDs == [eve] && changes?.deletedIDs == [bob])
        #expect(changes?.sourceIdentifiers.map { $0 as? Int } == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a reader that misses too many changes receives an incomplete report`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let ann = try #require(try test.person("Ann")).objectID()
        var commits = test.stack.async.commits().makeAsyncIterator()
        for count in [16_000, 500] {
            try test.stack.perform(synchronous: { transaction in
                for _ in 0..<count { _ = transaction.create(Into<Town.Pet>()) }
            })
        }
        let changes = await commits.next()
        #expect(
            changes?.isComplete == false && changes?.insertedIDs == [] && changes?.sourceIdentifiers.isEmpty == true)
        #expect(changes?.concerns(ann) == true)
        // The next reader's changes are complete again.
        try test.edit("Ann") { $0.age = 2 }
        let next = await commits.next()
        #expect(next?.isComplete == true && next?.updatedIDs == [ann])
    }

    @Test(.pins("RX-06")) func `a reader that misses too many commits receives an incomplete report`() async throws {
        let test = try Town.empty(.memory)
        var commits = test.stack.async.commits().makeAsyncIterator()
        for _ in 0..<1_025 { try test.add("Ann") }
        let changes = await commits.next()
        #expect(changes?.isComplete == false && changes?.sourceIdentifiers.isEmpty == true)
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `the commits of a stack include the commits of unsafe transactions`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.empty(backend)
        var commits = test.stack.async.commits().makeAsyncIterator()
        let editor = test.stack.beginUnsafe(sourceIdentifier: "editor")
        let ann = editor.create(Into<Person>())
        try editor.commitAndWait()
        let changes = await commits.next()
        #expect(changes?.insertedIDs == [ann.objectID()])
        #expect(changes?.sourceIdentifiers.map { $0 as? String } == ["editor"])
    }
}
