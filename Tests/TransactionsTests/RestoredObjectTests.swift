import Coffer
import TestSupport
import Testing

private typealias Person = Town.Person

/// Objects of a child transaction whose parent has deleted and restored them.
@MainActor
struct RestoredObjectTests {
    enum Use: CaseIterable {
        case fetchExisting
        case edit
        case delete
        case deleteByID
        case deleteAmongOthers
        case change
        case relate
    }

    nonisolated private static let uses = TestBackend.allCases.flatMap { backend in Use.allCases.map { (backend, $0) } }

    @Test(.pins("TX-44"), arguments: uses)
    func `a child transaction can use an object after its parent has restored the object`(
        _ backend: TestBackend, _ use: Use
    ) throws {
        let test = try Town.filledWithPets(backend)
        let parent = test.stack.beginUnsafe(supportsUndo: true)
        let child = parent.beginUnsafe()
        func cat(_ source: any FetchableSource) throws -> Person? {
            try source.fetchOne(From<Person>().where(\.$name == "Cat"))
        }
        let own = try #require(try cat(child))
        let id = own.objectID()
        parent.delete(try cat(parent))
        parent.flush()
        child.refreshAndMergeAllObjects()
        #expect(own.isDeleted)
        #expect((child.fetchExisting([id]) as [Person]).isEmpty)
        parent.undo()
        switch use {
        case .fetchExisting: #expect((child.fetchExisting([id]) as [Person]) == [own])
        case .edit: child.edit(own)?.city = "Bergen"
        case .delete: child.delete(own)
        case .deleteByID: child.delete(objectIDs: [id])
        case .deleteAmongOthers: child.delete([own])
        case .change: own.city = "Bergen"
        case .relate: own.pets = Set(try child.fetchAll(From<Town.Pet>().where(\.$name == "Eve")))
        }
        try child.commitAndWait()
        try parent.commitAndWait()
        let stored = try cat(test.stack)
        switch use {
        case .fetchExisting: #expect(stored?.city == "Oslo")
        case .edit, .change: #expect(stored?.city == "Bergen")
        case .delete, .deleteByID, .deleteAmongOthers: #expect(stored == nil)
        case .relate: #expect(stored?.pets.map(\.name) == ["Eve"])
        }
    }

    @Test(.pins("TX-30"))
    func `a condition across relationships reads related objects of changed objects in one request`() throws {
        let probed = try ProbedStack(.memory, Town.schema)
        try probed.stack.perform(synchronous: { transaction in
            for index in 0..<100 {
                let master = transaction.create(Into<Person>())
                master.name = "\(index)"
                guard index < 40 else { continue }
                let pet = transaction.create(Into<Town.Pet>())
                (pet.age, pet.master) = (index, master)
            }
        })
        let transaction = probed.stack.beginUnsafe()
        let pets = try transaction.fetchAll(From<Town.Pet>())
        let masters = pets.compactMap(\.master)
        #expect(masters.count == 40)
        for changedCount in [1, 40] {
            for pet in pets.prefix(changedCount) { pet.name = "changed \(changedCount)" }
            _ = probed.store.takeRequests()
            // A condition that compares values of two objects is evaluated in memory for the changed objects.
            #expect(try transaction.fetchCount(From<Town.Pet>(), Where<Town.Pet>("master.name != name")) == 40)
            let requests = probed.store.takeRequests().filter { $0.hasSuffix(" Person") }
            #expect(requests == ["\(changedCount) rows Person"])
        }
    }

    @Test(.pins("TX-30"))
    func `a condition across relationships reads related objects only of otherwise matching rows`() throws {
        let probed = try ProbedStack(.memory, Town.schema)
        try probed.stack.perform(synchronous: { transaction in
            for index in 0..<100 {
                let pet = transaction.create(Into<Town.Pet>())
                (pet.name, pet.age, pet.master) = ("p\(index)", index, transaction.create(Into<Person>()))
                pet.master?.name = "\(index)"
            }
        })
        let transaction = probed.stack.beginUnsafe()
        try transaction.fetchOne(From<Town.Pet>())?.name = "changed"
        func requests(_ format: String, _ count: Int) throws -> [String] {
            _ = probed.store.takeRequests()
            #expect(try transaction.fetchCount(From<Town.Pet>(), Where<Town.Pet>(format)) == count)
            return probed.store.takeRequests()
        }
        #expect(try requests("age < 30 AND master.name != name", 30) == ["rows Pet", "30 rows Person"])
        #expect(try requests("master.name == '7'", 1) == ["rows Person", "keys Pet"])
        #expect(try requests("master.name == 'nobody'", 0) == ["rows Person"])
    }
}
