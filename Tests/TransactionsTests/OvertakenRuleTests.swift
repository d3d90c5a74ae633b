import Coffer
import CofferStorage
import CofferTransactions
import TestSupport
import Testing

private final class Owner: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("pets", inverse: \.$owner) var pets: [Pet]
    @Field.Relationship("phone", inverse: \.$owner) var phone: Phone?
    @Field.Relationship("rooms", inverse: \.$owner, deleteRule: .cascade) var rooms: Set<Room>
    @Field.Relationship("papers", inverse: \.$authors, deleteRule: .cascade) var papers: Set<Paper>
}

private final class Pet: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("owner") var owner: Owner?
}

private final class Phone: CoreStoreObject {
    @Field.Relationship("owner") var owner: Owner?
}

private final class Room: CoreStoreObject {
    @Field.Relationship("owner") var owner: Owner?
    @Field.Relationship("chair", inverse: \.$room, deleteRule: .cascade) var chair: Chair?
}

private final class Chair: CoreStoreObject {
    @Field.Relationship("room") var room: Room?
}

private final class Paper: CoreStoreObject {
    @Field.Relationship("authors") var authors: Set<Owner>
}

/// An owner is deleted while others give its members to another one.
@MainActor
struct OvertakenRuleTests {
    private static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Owner>("Owner"), Entity<Pet>("Pet"), Entity<Phone>("Phone"), Entity<Room>("Room"),
            Entity<Chair>("Chair"), Entity<Paper>("Paper"),
        ])

    /// Who deletes, beside whom.
    enum Way: CaseIterable {
        case unsafeBesideTransaction
        case unsafeBesideStack
        case performBesideStack
    }

    nonisolated private static let all = TestBackend.allCases.flatMap { backend in Way.allCases.map { (backend, $0) } }

    @MainActor
    private struct Scene {
        let one: TestStack
        let other: DataStack

        init(_ backend: TestBackend) throws {
            one = try TestStack(backend, schema)
            other = DataStack(schema)
            if backend == .memory {
                let store = one.stack._graph.stores[0].storage
                try other.addStorageAndWait(store)
            } else {
                try TestStack.addStore(backend, to: other, in: one.directory)
            }
            try one.stack.perform(synchronous: { transaction in
                let ann = transaction.create(Into<Owner>())
                ann.name = "Ann"
                transaction.create(Into<Owner>()).name = "Bob"
                for name in ["Rex", "Tom"] {
                    let pet = transaction.create(Into<Pet>())
                    (pet.name, pet.owner) = (name, ann)
                }
                transaction.create(Into<Phone>()).owner = ann
                transaction.create(Into<Room>()).owner = ann
                transaction.create(Into<Chair>()).room = try transaction.fetchOne(From<Room>())
                transaction.create(Into<Paper>()).authors = [ann]
            })
        }

        /// Deletes Ann, and edits before that is saved, as someone else.
        ///
        /// - Parameter refreshes: whether an unsafe transaction is refreshed before it is saved.
        func deleteAnn(
            _ way: Way, while edit: @escaping (SynchronousDataTransaction) throws -> Void,
            refreshes: Bool = false
        ) throws {
            func delete(in transaction: BaseDataTransaction) throws {
                let ann = try transaction.fetchOne(From<Owner>().where(\.$name == "Ann"))
                transaction.delete(ann)
                let editor = way == .unsafeBesideTransaction ? one.stack : other
                try editor.perform(synchronous: { try edit($0) })
            }
            guard way != .performBesideStack else {
                try one.stack.perform(synchronous: { try delete(in: $0) })
                return
            }
            let transaction = one.stack.beginUnsafe()
            try delete(in: transaction)
            if refreshes { transaction.refreshAndMergeAllObjects() }
            try transaction.commitAndWait()
        }
    }

    private static func bob(_ transaction: SynchronousDataTransaction) throws -> Owner {
        try #require(try transaction.fetchOne(From<Owner>().where(\.$name == "Bob")))
    }

    @Test(arguments: all)
    func `TX-46 FLD-44 what others gave another owner keeps that`(_ backend: TestBackend, _ way: Way) throws {
        for refreshes in [false, true] where !(refreshes && way == .performBesideStack) {
            let scene = try Scene(backend)
            try scene.deleteAnn(
                way,
                while: { transaction in
                    let bob = try Self.bob(transaction)
                    let rex = try #require(try transaction.fetchOne(From<Pet>().where(\.$name == "Rex")))
                    rex.owner = bob
                    try transaction.fetchOne(From<Phone>())?.owner = bob
                }, refreshes: refreshes)
            try scene.other.read { reader in
                let bob = try #require(try reader.fetchOne(From<Owner>()))
                #expect(bob.name == "Bob")
                #expect(bob.pets.map(\.name) == ["Rex"])
                #expect(bob.phone?.owner === bob)
                let tom = try #require(try reader.fetchOne(From<Pet>().where(\.$name == "Tom")))
                #expect(tom.owner == nil)
                #expect(try reader.fetchCount(From<Room>()) == 0)
                #expect(try reader.fetchCount(From<Paper>()) == 0)
            }
        }
    }

    @Test(arguments: all)
    func `TX-46 FLD-44 a cascade does not delete what others gave another owner`(
        _ backend: TestBackend, _ way: Way
    ) throws {
        let edits: [(SynchronousDataTransaction) throws -> Void] = [
            { try $0.fetchOne(From<Room>())?.owner = try Self.bob($0) },
            { try $0.fetchOne(From<Room>())?.owner = nil },
            { try $0.fetchOne(From<Chair>())?.room = $0.create(Into<Room>()) },
            { try $0.fetchOne(From<Paper>())?.authors = [try Self.bob($0)] },
        ]
        for edit in edits {
            let scene = try Scene(backend)
            let error = #expect(throws: CoreStoreError.self) { try scene.deleteAnn(way, while: edit) }
            #expect(error?.storageError?.code == .conflict)
            try scene.other.read { (reader: ReadTransaction) throws in
                #expect(try reader.fetchCount(From<Owner>()) == 2)
                #expect(try reader.fetchCount(From<Room>()) >= 1)
                #expect(try reader.fetchCount(From<Chair>()) == 1)
                #expect(try reader.fetchCount(From<Paper>()) == 1)
                #expect(try reader.fetchCount(From<Pet>().where(\.$owner != nil)) == 2)
            }
        }
    }

    @Test(arguments: TestBackend.allCases)
    func `TX-46 FLD-44 a refreshed transaction that is committed again deletes what it deleted`(
        _ backend: TestBackend
    ) throws {
        let scene = try Scene(backend)
        let transaction = scene.one.stack.beginUnsafe()
        transaction.delete(try transaction.fetchOne(From<Owner>().where(\.$name == "Ann")))
        try scene.other.perform(synchronous: { try $0.fetchOne(From<Room>())?.owner = try Self.bob($0) })
        #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        transaction.refreshAndMergeAllObjects()
        try transaction.commitAndWait()
        #expect(try scene.one.stack.fetchCount(From<Room>()) == 0)
        #expect(try scene.one.stack.fetchCount(From<Owner>()) == 1)
    }

    @Test(arguments: TestBackend.allCases)
    func `TX-46 FLD-44 what the program deletes itself is deleted wherever it is`(_ backend: TestBackend) throws {
        for order in [0, 1] {
            let scene = try Scene(backend)
            let transaction = scene.one.stack.beginUnsafe()
            let ann = try #require(try transaction.fetchOne(From<Owner>().where(\.$name == "Ann")))
            let room = try #require(try transaction.fetchOne(From<Room>()))
            let rex = try #require(try transaction.fetchOne(From<Pet>().where(\.$name == "Rex")))
            rex.owner = nil
            if order == 0 { transaction.delete([ann, room]) } else { transaction.delete([room, ann]) }
            try scene.other.perform(synchronous: { other in
                try other.fetchOne(From<Room>())?.owner = try Self.bob(other)
                try other.fetchOne(From<Pet>().where(\.$name == "Rex"))?.owner = try Self.bob(other)
            })
            try transaction.commitAndWait()
            #expect(try scene.one.stack.fetchCount(From<Room>()) == 0)
            #expect(try scene.one.stack.fetchCount(From<Pet>().where(\.$owner == nil)) == 2)
        }
    }

    @Test(arguments: all)
    func `TX-46 FLD-44 members that others have deleted are no conflict`(_ backend: TestBackend, _ way: Way) throws {
        let scene = try Scene(backend)
        try scene.deleteAnn(
            way,
            while: { transaction in
                transaction.delete(try transaction.fetchAll(From<Pet>()))
                transaction.delete(try transaction.fetchAll(From<Phone>()))
                transaction.delete(try transaction.fetchAll(From<Room>()))
            })
        #expect(try scene.other.read { try $0.fetchCount(From<Owner>()) } == 1)
        #expect(try scene.other.read { try $0.fetchCount(From<Pet>()) } == 0)
        #expect(try scene.one.stack.fetchCount(From<Chair>()) == 0)
    }

    @Test(arguments: TestBackend.allCases)
    func `TX-46 FLD-44 a child transaction leaves to their new owner what its parent gave away`(
        _ backend: TestBackend
    ) throws {
        for movesRoom in [false, true] {
            let scene = try Scene(backend)
            let parent = scene.one.stack.beginUnsafe()
            let bob = try #require(try parent.fetchOne(From<Owner>().where(\.$name == "Bob")))
            let child = parent.beginUnsafe()
            child.delete(try child.fetchOne(From<Owner>().where(\.$name == "Ann")))
            try parent.fetchOne(From<Pet>().where(\.$name == "Rex"))?.owner = bob
            try parent.fetchOne(From<Phone>())?.owner = bob
            if movesRoom { try parent.fetchOne(From<Room>())?.owner = bob }
            guard !movesRoom else {
                let error = #expect(throws: CoreStoreError.self) { try child.commitAndWait() }
                #expect(error?.storageError?.code == .conflict)
                #expect(bob.rooms.count == 1)
                continue
            }
            try child.commitAndWait()
            #expect(bob.pets.map(\.name) == ["Rex"])
            #expect(bob.phone?.owner === bob)
            // What the child deleted by a cascade is still one when the parent is saved.
            try scene.other.perform(synchronous: { try $0.fetchOne(From<Room>())?.owner = try Self.bob($0) })
            let error = #expect(throws: CoreStoreError.self) { try parent.commitAndWait() }
            #expect(error?.storageError?.code == .conflict)
        }
    }
}
