import Coffer
import CofferStorage
import CofferStorageTools
import CofferTransactions
import Dispatch
import Foundation
import TestSupport
import Testing

private final class Owner: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("pets", inverse: \.$owner, deleteRule: .nullify) var pets: Set<Pet>
    @Field.Relationship("rooms", inverse: \.$owner, deleteRule: .cascade) var rooms: Set<Room>
    @Field.Relationship("debts", inverse: \.$owner, deleteRule: .deny) var debts: Set<Debt>
    @Field.Relationship("cars", maxCount: 2, inverse: \.$owner) var cars: Set<Car>
}

private final class Pet: CoreStoreObject {
    @Field.Relationship("owner") var owner: Owner?
}

private final class Room: CoreStoreObject {
    @Field.Relationship("owner") var owner: Owner?
}

private final class Debt: CoreStoreObject {
    @Field.Relationship("owner") var owner: Owner?
}

private final class Car: CoreStoreObject {
    @Field.Relationship("owner") var owner: Owner?
}

/// Two stacks on one store, as in two processes; neither stack observes the commits of the other.
@MainActor
struct SeveralStacksTests {
    private static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Owner>("Owner"), Entity<Pet>("Pet"), Entity<Room>("Room"), Entity<Debt>("Debt"), Entity<Car>("Car"),
        ])

    private let one: TestStack
    private let other: DataStack

    /// Creates a stack with one owner, and another stack on the same store.
    private init(_ backend: TestBackend) throws {
        one = try TestStack(backend, Self.schema)
        other = DataStack(Self.schema)
        let store = one.stack._graph.stores[0].storage
        if backend == .memory {
            try other.addStorageAndWait(store)
        } else {
            try TestStack.addStore(backend, to: other, in: one.directory)
        }
        try one.stack.perform(synchronous: { $0.create(Into<Owner>()).name = "Ann" })
    }

    init() throws { try self.init(.memory) }

    private func owner(_ source: any FetchableSource) throws -> Owner {
        try #require(try source.fetchOne(From<Owner>()))
    }

    private func problems() throws -> [StoreProblem] {
        try one.stack._graph.stores.flatMap { try $0.storage.problems($0.layout) }
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `delete rules apply to members that another stack has added`(_ backend: TestBackend) throws {
        let test = try Self(backend)
        let unsafe = test.one.stack.beginUnsafe()
        let own = try test.owner(unsafe)
        #expect(own.pets.isEmpty && own.rooms.isEmpty && own.debts.isEmpty)
        try test.other.perform(synchronous: { transaction in
            let own = try test.owner(transaction)
            transaction.create(Into<Pet>()).owner = own
            transaction.create(Into<Room>()).owner = own
        })
        unsafe.delete(own)
        try unsafe.commitAndWait()
        #expect(try test.other.read { try $0.fetchCount(From<Room>()) } == 0)
        #expect(try test.other.read { try $0.fetchCount(From<Pet>().where(\.$owner == nil)) } == 1)
        #expect(try test.problems() == [])
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `a deletion is refused because of a related object that another stack has added`(_ backend: TestBackend) throws
    {
        let test = try Self(backend)
        let unsafe = test.one.stack.beginUnsafe()
        let own = try test.owner(unsafe)
        #expect(own.debts.isEmpty)
        try test.other.perform(synchronous: { $0.create(Into<Debt>()).owner = try test.owner($0) })
        unsafe.delete(own)
        #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        #expect(try test.other.read { try $0.fetchCount(From<Owner>()) } == 1)
        try test.other.perform(synchronous: { try $0.deleteAll(From<Debt>()) })
        try unsafe.commitAndWait()
        #expect(try test.other.read { try $0.fetchCount(From<Owner>()) } == 0)
    }

    @Test(.pins("FLD-40"), arguments: TestBackend.allCases)
    func `a maximum count includes members that another stack has added`(_ backend: TestBackend) throws {
        let test = try Self(backend)
        let unsafe = test.one.stack.beginUnsafe()
        let own = try test.owner(unsafe)
        #expect(own.cars.isEmpty)
        try test.other.perform(synchronous: { transaction in
            let own = try test.owner(transaction)
            for _ in 1...2 { transaction.create(Into<Car>()).owner = own }
        })
        unsafe.create(Into<Car>()).owner = own
        #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        #expect(try test.other.read { try $0.fetchCount(From<Car>()) } == 2)
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `a fetch shows an unsafe transaction the members that another stack has added`(
        _ backend: TestBackend
    ) throws {
        let test = try Self(backend)
        let unsafe = test.one.stack.beginUnsafe()
        let own = try test.owner(unsafe)
        #expect(own.pets.isEmpty)
        try test.other.perform(synchronous: { $0.create(Into<Pet>()).owner = try test.owner($0) })
        let pet = try #require(try unsafe.fetchOne(From<Pet>()))
        #expect(pet.owner === own && own.pets == [pet])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases, [false, true])
    func `a reference to an object that another stack has deleted is a conflict`(
        _ backend: TestBackend, isUnsafe: Bool
    ) throws {
        let test = try Self(backend)
        let relate = { (transaction: BaseDataTransaction) in
            let own = try test.owner(transaction)
            try test.other.perform(synchronous: { $0.delete(try test.owner($0)) })
            transaction.create(Into<Pet>()).owner = own
        }
        let error = #expect(throws: CoreStoreError.self) {
            if isUnsafe {
                let unsafe = test.one.stack.beginUnsafe()
                try relate(unsafe)
                try unsafe.commitAndWait()
            } else {
                try test.one.stack.perform(
                    synchronous: { try relate($0) }, options: TransactionOptions(conflictPolicy: .throwOnConflict))
            }
        }
        #expect(error?.storageError?.code == .conflict)
        #expect(try test.other.read { try $0.fetchCount(From<Pet>()) } == 0)
    }

    @Test(.pins("OBS-72"), arguments: TestBackend.allCases)
    func `a refresh calls observers for changes that another stack has saved`(_ backend: TestBackend) throws {
        let test = try Self(backend)
        let own = try test.owner(test.one.stack)
        let publisher = test.one.stack.publishObject(own)
        let list = test.one.stack.publishList(
            From<Owner>().where(\.$name == "Ann").orderBy(.ascending(\.$name)))
        var told: [String] = []
        publisher.addObserver(test.one) { told.append($0.snapshot?.$name ?? "deleted") }
        list.addObserver(test.one) { told.append("\($0.snapshot.count)") }
        try test.other.perform(synchronous: { try test.owner($0).name = "Zoe" })
        #expect(publisher.snapshot?.$name == "Ann" && told == [])
        test.one.stack.refreshAndMergeAllObjects()
        #expect(told.sorted() == ["0", "Zoe"])
        #expect(publisher.snapshot?.$name == "Zoe" && own.name == "Zoe" && list.snapshot.isEmpty)
    }

    /// Reads the list before and after it changes.
    private final class Reader: ListObserver {
        var names: [[String]] = []
        func listMonitorWillChange(_ monitor: ListMonitor<Owner>) { read(monitor) }
        func listMonitorDidChange(_ monitor: ListMonitor<Owner>) { read(monitor) }
        func listMonitorDidRefetch(_ monitor: ListMonitor<Owner>) {}
        private func read(_ monitor: ListMonitor<Owner>) {
            names.append(monitor.objectsInAllSections().map(\.name))
        }
    }

    @Test(.pins("OBS-22"), arguments: TestBackend.allCases)
    func `reading a list in an observer does not reset objects to their old values`(
        _ backend: TestBackend
    ) throws {
        let test = try Self(backend)
        let own = try test.owner(test.one.stack)
        let monitor = test.one.stack.monitorList(From<Owner>().orderBy(.ascending(\.$name)))
        let reader = Reader()
        monitor.addObserver(reader)
        try test.other.perform(synchronous: { transaction in
            try test.owner(transaction).name = "Zoe"
            transaction.create(Into<Owner>()).name = "Abe"
        })
        test.one.stack.refreshAndMergeAllObjects()
        #expect(reader.names == [["Zoe"], ["Abe", "Zoe"]])
        #expect(own.name == "Zoe")
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `a transaction fails if it reads a relationship of an object whose read has ended`(
        _ backend: TestBackend
    ) throws {
        let test = try Self(backend)
        try test.one.stack.perform(synchronous: { transaction in
            transaction.create(Into<Pet>()).owner = try test.owner(transaction)
        })
        let (own, pet) = try test.one.stack.read { read in
            (try test.owner(read), try #require(try read.fetchOne(From<Pet>())))
        }
        for isToMany in [false, true] {
            let error = #expect(throws: CoreStoreError.self) {
                try test.one.stack.perform(synchronous: { transaction in
                    let count = isToMany ? own.pets.count : pet.owner == nil ? 0 : 1
                    try test.owner(transaction).name = "\(count)"
                })
            }
            #expect(error?.storageError?.message.contains("had ended. Fetch the object where you use it.") == true)
        }
        let recording = RecordingLogger.record("'pets' of") { #expect(own.pets.isEmpty) }
        #expect(recording.entries.count == 1)
        #expect(try test.other.read { try test.owner($0).name } == "Ann")
    }
}
