import Coffer
import TestSupport
import Testing

/// The snapshots and fields of objects as asynchronous sequences.
@MainActor
struct ObjectStreamTests {
    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `the snapshots of an object end with nil after it is deleted`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let ann = try #require(try test.person("Ann"))
        var snapshots = test.stack.publishObject(ann).snapshots().makeAsyncIterator()
        #expect(await snapshots.next()??.$age == 1)
        try test.edit("Bob") { $0.age = 3 }
        try test.edit("Ann") { $0.age = 2 }
        #expect(await snapshots.next()??.$age == 2)
        try test.edit("Ann") { $0.age = 3 }
        try test.edit("Ann") { $0.age = 4 }
        #expect(await snapshots.next()??.$age == 4)
        try test.delete("Ann")
        let last = await snapshots.next()
        #expect(last != nil && last! == nil)
        #expect(await snapshots.next() == nil)
        #expect(test.stack.async.subscriptionCount == 0)
        // If the object does not exist, the sequence is nil once and ends.
        var none = test.stack.publishObject(ann).snapshots().makeAsyncIterator()
        let only = await none.next()
        #expect(only != nil && only! == nil)
        #expect(await none.next() == nil)
    }

    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `without the initial value the first snapshot is the one after the next change`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let publisher = test.stack.publishObject(try #require(try test.person("Ann")))
        var snapshots = publisher.snapshots(emitInitialValue: false).makeAsyncIterator()
        try test.edit("Ann") { $0.age = 2 }
        #expect(await snapshots.next()??.$age == 2)
    }

    @Test(.pins("RX-04"), arguments: TestBackend.allCases)
    func `the values of a field are published first and on every change of the object, even if equal`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let publisher = test.stack.publishObject(try #require(try test.person("Ann")))
        var names = publisher.values(\.$name).makeAsyncIterator()
        var labels = publisher.values(\.$label).makeAsyncIterator()
        var moods = publisher.values(\.$mood).makeAsyncIterator()
        var cities = publisher.values(\.$city, emitInitialValue: false).makeAsyncIterator()
        #expect(await names.next() == "Ann")
        #expect(await labels.next() == "Ann (1)")
        #expect(await moods.next() == .init(colour: "grey"))
        try test.edit("Ann") { ($0.age, $0.mood) = (2, .init(colour: "red")) }
        #expect(await names.next() == "Ann")
        #expect(await labels.next() == "Ann (2)")
        #expect(await moods.next() == .init(colour: "red"))
        let city = await cities.next()
        #expect(city == .some(.some(nil)))
        try test.delete("Ann")
        let last = await names.next()
        #expect(last == .some(nil))
        #expect(await names.next() == nil)
    }

    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `a failed read of an object is not reported as a deletion`(_ backend: TestBackend) async throws {
        let probed = try ProbedStack(backend, Town.schema)
        let id = try probed.stack.perform(synchronous: { $0.create(Into<Town.Person>()).objectID() })
        let publisher: ObjectPublisher<Town.Person> = probed.stack.publishObject(id)
        let (isRead, report) = AsyncStream<Void>.makeStream()
        probed.store.atNext(.read) { report.yield() }
        probed.store.fail(.read)
        let first = Task {
            var snapshots = publisher.snapshots().makeAsyncIterator()
            return await snapshots.next()
        }
        for await _ in isRead { break }
        try probed.stack.perform(synchronous: { try #require($0.edit(Into<Town.Person>(), id)).age = 7 })
        #expect(await first.value??.$age == 7)
        // The publisher does not remember the failure either.
        let other: ObjectPublisher<Town.Person> = probed.stack.publishObject(id)
        #expect(other.snapshot?.$age == 7)
    }

    @Test(.pins("RX-03", "RX-06"), arguments: TestBackend.allCases)
    func `any task can follow an object by its id`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let (stack, id) = (test.stack, try #require(try test.person("Ann")).objectID())
        let ages = Task.detached {
            var ages: [Int?] = []
            let publisher: ObjectPublisher<Town.Person> = stack.publishObject(id)
            for await snapshot in publisher.snapshots() {
                ages.append(snapshot?.$age)
                guard snapshot?.$age == 1 else { continue }
                try await stack.async.perform { try #require($0.edit(Into<Town.Person>(), id)).age = 2 }
                try await stack.async.perform { $0.delete(objectIDs: [id]) }
            }
            return ages
        }
        let values = try await ages.value
        // The reader may be too late for the age of 2.
        #expect(values == [1, 2, nil] || values == [1, nil])
    }
}
