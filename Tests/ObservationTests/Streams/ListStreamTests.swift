import Coffer
import TestSupport
import Testing

private typealias Person = Town.Person

/// The snapshots of lists as asynchronous sequences.
@MainActor
struct ListStreamTests {
    private let everybody = From<Town.Person>().orderBy(.ascending(\.$name))

    @Test(.pins("RX-03", "RX-06"), arguments: TestBackend.allCases)
    func `the snapshots of a list begin with the current snapshot and follow the commits`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1, "Cat": 3])
        var snapshots = test.stack.publishList(everybody).snapshots().makeAsyncIterator()
        #expect(await snapshots.next()?.text == "Ann Cat")
        try test.add("Bob", 2)
        #expect(await snapshots.next()?.text == "Ann Bob Cat")
        try test.delete("Ann")
        #expect(await snapshots.next()?.text == "Bob Cat")
        try test.edit("Cat") { $0.name = "Abe" }
        let last = try #require(await snapshots.next())
        #expect(last.text == "Abe Bob" && last.updatedItemIdentifiers == [last.itemIDs[0]])
    }

    @Test(.pins("RX-03"), arguments: TestBackend.allCases)
    func `without the initial value the first snapshot is the one after the next commit`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        let list = test.stack.publishList(everybody)
        var snapshots = list.snapshots(emitInitialValue: false).makeAsyncIterator()
        // The iterator observes the list from here on, before the test asks for a value.
        try test.add("Bob", 2)
        #expect(await snapshots.next()?.text == "Ann Bob")
        async let next = snapshots.next()
        try test.stack.perform(synchronous: { _ = $0.create(Into<Town.Pet>()) })
        try test.add("Cat", 3)
        #expect(await next?.text == "Ann Bob Cat")
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a slow reader receives the newest snapshot with the updates of all missed commits`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3])
        let ids = try ["Ann", "Bob", "Cat"].map { try #require(try test.person($0)).objectID() }
        let list = test.stack.publishList(everybody)
        var snapshots = list.snapshots().makeAsyncIterator()
        _ = await snapshots.next()
        try test.edit("Ann") { $0.age = 10 }
        try test.edit("Bob") { $0.age = 20 }
        try test.delete("Bob")
        try test.edit("Cat") { $0.age = 30 }
        let snapshot = await snapshots.next()
        #expect(snapshot?.text == "Ann Cat")
        #expect(snapshot?.updatedItemIdentifiers == [ids[0], ids[2]])
        #expect(list.snapshot.updatedItemIdentifiers == [ids[2]])
        // The next value has the updates of the next commit only.
        try test.edit("Ann") { $0.age = 11 }
        #expect(await snapshots.next()?.updatedItemIdentifiers == [ids[0]])
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `objects created and deleted between two snapshots are not reported`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1])
        var snapshots = test.stack.publishList(everybody).snapshots().makeAsyncIterator()
        _ = await snapshots.next()
        // These are more updates than the stream remembers for a list of one object.
        for _ in 0..<3 {
            try test.stack.perform(synchronous: { transaction in
                for number in 0..<600 { transaction.create(Into<Person>()).name = "Guest \(number)" }
            })
            try test.stack.perform(synchronous: { transaction in
                try transaction.deleteAll(From<Person>().where { $0.$name != "Ann" })
            })
        }
        try test.edit("Ann") { $0.age = 2 }
        let snapshot = await snapshots.next()
        #expect(snapshot?.text == "Ann" && snapshot?.updatedItemIdentifiers == Set(snapshot?.itemIDs ?? []))
    }

    @Test(.pins("RX-03", "OBS-52"), arguments: TestBackend.allCases)
    func `a refetch of a list publishes a snapshot`(_ backend: TestBackend) async throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        let list = test.stack.publishList(everybody)
        var snapshots = list.snapshots().makeAsyncIterator()
        _ = await snapshots.next()
        try list.refetch(From<Person>().orderBy(.descending(\.$name)))
        #expect(await snapshots.next()?.text == "Bob Ann")
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `any task can follow a list with sections`(
        _ backend: TestBackend
    ) async throws {
        let test = try Town.empty(backend)
        try test.add("Ann", 1, city: "Oslo")
        let stack = test.stack
        let sections = From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name))
        var snapshots = stack.async.snapshots(of: sections).makeAsyncIterator()
        #expect(try await snapshots.next()?.sectionIDs == ["Oslo"])
        try test.add("Bob", 2, city: "Rome")
        #expect(try await snapshots.next()?.sectionIDs == ["Oslo", "Rome"])
    }
}
