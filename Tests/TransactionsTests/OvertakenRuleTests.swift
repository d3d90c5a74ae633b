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
    @Field.Stored("number") var number: Int = 0
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

/// Deletions of an owner while other transactions move its members to another owner.
@MainActor
struct OvertakenRuleTests {
    private static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Owner>("Owner"), Entity<Pet>("Pet"), Entity<Phone>("Phone"), Entity<Room>("Room"),
            Entity<Chair>("Chair"), Entity<Paper>("Paper"),
        ])

    /// The deleting transaction and the concurrent one.
    enum Setting: CaseIterable {
        case unsafeBesideTransaction
        case unsafeBesideStack
        case performBesideStack
    }

    nonisolated private static let all = TestBackend.allCases.flatMap { backend in
        Setting.allCases.map { (backend, $0) }
    }

    @MainActor
    private struct Fixture {
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

        /// Deletes Ann; before the deletion is saved, another transaction makes the edits.
        ///
        /// - Parameter refreshes: whether an unsafe transaction is refreshed before its commit.
        func deleteAnn(
            _ setting: Setting, while edit: @escaping (SynchronousDataTransaction) throws -> Void,
            refreshes: Bool = false
        ) throws {
            func delete(in transaction: BaseDataTransaction) throws {
                let ann = try transaction.fetchOne(From<Owner>().where(\.$name == "Ann"))
                transaction.delete(ann)
                let editor = setting == .unsafeBesideTransaction ? one.stack : other
                try editor.perform(synchronous: { try edit($0) })
            }
            guard setting != .performBesideStack else {
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

    @Test(.pins("TX-46", "FLD-44"), arguments: all)
    func `a member that another transaction moved keeps its new owner`(
        _ backend: TestBackend, _ setting: Setting
    ) throws {
        for refreshes in [false, true] where !(refreshes && setting == .performBesideStack) {
            let fixture = try Fixture(backend)
            try fixture.deleteAnn(
                setting,
                while: { transaction in
                    let bob = try Self.bob(transaction)
                    let rex = try #require(try transaction.fetchOne(From<Pet>().where(\.$name == "Rex")))
                    rex.owner = bob
                    try transaction.fetchOne(From<Phone>())?.owner = bob
                }, refreshes: refreshes)
            try fixture.other.read { reader in
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

    @Test(.pins("TX-46", "FLD-44"), arguments: all)
    func `a cascade that would delete a member moved by another transaction is a conflict`(
        _ backend: TestBackend, _ setting: Setting
    ) throws {
        let edits: [(SynchronousDataTransaction) throws -> Void] = [
            { try $0.fetchOne(From<Room>())?.owner = try Self.bob($0) },
            { try $0.fetchOne(From<Room>())?.owner = nil },
            { try $0.fetchOne(From<Chair>())?.room = $0.create(Into<Room>()) },
            { try $0.fetchOne(From<Paper>())?.authors = [try Self.bob($0)] },
        ]
        for edit in edits {
            let fixture = try Fixture(backend)
            let error = #expect(throws: CoreStoreError.self) { try fixture.deleteAnn(setting, while: edit) }
            #expect(error?.storageError?.code == .conflict)
            try fixture.other.read { (reader: ReadTransaction) throws in
                #expect(try reader.fetchCount(From<Owner>()) == 2)
                #expect(try reader.fetchCount(From<Room>()) >= 1)
                #expect(try reader.fetchCount(From<Chair>()) == 1)
                #expect(try reader.fetchCount(From<Paper>()) == 1)
                #expect(try reader.fetchCount(From<Pet>().where(\.$owner != nil)) == 2)
            }
        }
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `after a conflict and a refresh, a repeated commit applies the deletion`(
        _ backend: TestBackend
    ) throws {
        let fixture = try Fixture(backend)
        let transaction = fixture.one.stack.beginUnsafe()
        transaction.delete(try transaction.fetchOne(From<Owner>().where(\.$name == "Ann")))
        try fixture.other.perform(synchronous: { try $0.fetchOne(From<Room>())?.owner = try Self.bob($0) })
        // A refresh before the conflict does not confirm the deletion.
        transaction.refreshAndMergeAllObjects()
        #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        transaction.refreshAndMergeAllObjects()
        try transaction.commitAndWait()
        #expect(try fixture.one.stack.fetchCount(From<Room>()) == 0)
        #expect(try fixture.one.stack.fetchCount(From<Owner>()) == 1)
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `an explicitly deleted object is deleted although another transaction moved it`(
        _ backend: TestBackend
    ) throws {
        for order in [0, 1] {
            let fixture = try Fixture(backend)
            let transaction = fixture.one.stack.beginUnsafe()
            let ann = try #require(try transaction.fetchOne(From<Owner>().where(\.$name == "Ann")))
            let room = try #require(try transaction.fetchOne(From<Room>()))
            let rex = try #require(try transaction.fetchOne(From<Pet>().where(\.$name == "Rex")))
            rex.owner = nil
            if order == 0 { transaction.delete([ann, room]) } else { transaction.delete([room, ann]) }
            try fixture.other.perform(synchronous: { other in
                try other.fetchOne(From<Room>())?.owner = try Self.bob(other)
                try other.fetchOne(From<Pet>().where(\.$name == "Rex"))?.owner = try Self.bob(other)
            })
            try transaction.commitAndWait()
            #expect(try fixture.one.stack.fetchCount(From<Room>()) == 0)
            #expect(try fixture.one.stack.fetchCount(From<Pet>().where(\.$owner == nil)) == 2)
        }
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: all)
    func `deleting an owner whose members another transaction deleted is no conflict`(
        _ backend: TestBackend, _ setting: Setting
    ) throws {
        let fixture = try Fixture(backend)
        try fixture.deleteAnn(
            setting,
            while: { transaction in
                transaction.delete(try transaction.fetchAll(From<Pet>()))
                transaction.delete(try transaction.fetchAll(From<Phone>()))
                transaction.delete(try transaction.fetchAll(From<Room>()))
            })
        #expect(try fixture.other.read { try $0.fetchCount(From<Owner>()) } == 1)
        #expect(try fixture.other.read { try $0.fetchCount(From<Pet>()) } == 0)
        #expect(try fixture.one.stack.fetchCount(From<Chair>()) == 0)
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `a child's delete rule does not change members that the parent has moved`(
        _ backend: TestBackend
    ) throws {
        for movesRoom in [false, true] {
            let fixture = try Fixture(backend)
            let parent = fixture.one.stack.beginUnsafe()
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
            // An object that the child deleted by a cascade still counts as such when the parent is committed.
            try fixture.other.perform(synchronous: { try $0.fetchOne(From<Room>())?.owner = try Self.bob($0) })
            let error = #expect(throws: CoreStoreError.self) { try parent.commitAndWait() }
            #expect(error?.storageError?.code == .conflict)
        }
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `a parent and its child may delete the same owner`(_ backend: TestBackend) throws {
        let fixture = try Fixture(backend)
        let parent = fixture.one.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        try child.delete(child.fetchOne(From<Owner>().where(\.$name == "Ann")))
        try parent.delete(parent.fetchOne(From<Owner>().where(\.$name == "Ann")))
        try child.commitAndWait()
        try fixture.other.perform(synchronous: {
            try $0.fetchOne(From<Pet>().where(\.$name == "Rex"))?.owner = try Self.bob($0)
        })
        try parent.commitAndWait()
        #expect(try fixture.one.stack.fetchOne(From<Pet>().where(\.$name == "Rex"))?.owner?.name == "Bob")
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `deleting an owner in a child is no conflict if the parent has deleted the members`(
        _ backend: TestBackend
    ) throws {
        let fixture = try Fixture(backend)
        let parent = fixture.one.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        try child.delete(child.fetchOne(From<Owner>().where(\.$name == "Ann")))
        parent.delete(try parent.fetchAll(From<Pet>()))
        parent.delete(try parent.fetchAll(From<Phone>()))
        try child.commitAndWait()
        try parent.commitAndWait()
        #expect(try fixture.one.stack.fetchCount(From<Owner>()) == 1)
        #expect(try fixture.one.stack.fetchCount(From<Pet>()) == 0)
        #expect(try fixture.one.stack.fetchCount(From<Room>()) == 0)
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: all)
    func `ending a one-to-one relationship keeps a related object set by another transaction`(
        _ backend: TestBackend, _ setting: Setting
    ) throws {
        for replaces in [false, true] {
            let fixture = try Fixture(backend)
            func edit(_ transaction: BaseDataTransaction) throws {
                let phone = try #require(try transaction.fetchOne(From<Phone>()))
                #expect(phone.owner?.phone === phone)
                phone.owner = replaces ? try transaction.fetchOne(From<Owner>().where(\.$name == "Bob")) : nil
                let editor = setting == .unsafeBesideTransaction ? fixture.one.stack : fixture.other
                try editor.perform(synchronous: { other in
                    let ann = try #require(try other.fetchOne(From<Owner>().where(\.$name == "Ann")))
                    ann.phone = other.create(Into<Phone>())
                    ann.phone?.number = 1
                })
            }
            if setting == .performBesideStack {
                try fixture.one.stack.perform(synchronous: { try edit($0) })
            } else {
                let transaction = fixture.one.stack.beginUnsafe()
                try edit(transaction)
                try transaction.commitAndWait()
            }
            try fixture.other.read { reader in
                let phones = try reader.fetchAll(From<Phone>().orderBy(.ascending(\.$number)))
                #expect(phones.map { $0.owner?.name } == [replaces ? "Bob" : nil, "Ann"])
                #expect(phones.allSatisfy { $0.owner == nil || $0.owner?.phone === $0 })
            }
        }
    }

    @Test(.pins("TX-44", "FLD-42"), arguments: TestBackend.allCases)
    func `a one-to-one relationship set by parent and child has one object on each side`(
        _ backend: TestBackend
    ) throws {
        let fixture = try Fixture(backend)
        let parent = fixture.one.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let bob = try #require(try child.fetchOne(From<Owner>().where(\.$name == "Bob")))
        let phone = child.create(Into<Phone>())
        phone.owner = bob
        let other = parent.create(Into<Phone>())
        other.owner = try parent.fetchOne(From<Owner>().where(\.$name == "Bob"))
        try child.commitAndWait()
        #expect(other.owner == nil)
        #expect(parent.fetchExisting(phone)?.owner?.phone?.objectID() == phone.objectID())
        try parent.commitAndWait()
        #expect(try fixture.one.stack.fetchCount(From<Phone>().where(\.$owner == nil)) == 1)
    }

    @Test(.pins("TX-45"), arguments: TestBackend.allCases)
    func `a refreshed child transaction shows relationships that another stack has changed`(
        _ backend: TestBackend
    ) throws {
        let fixture = try Fixture(backend)
        let parent = fixture.one.stack.beginUnsafe()
        let child = parent.beginUnsafe().beginUnsafe()
        let ann = try #require(try child.fetchOne(From<Owner>().where(\.$name == "Ann")))
        #expect(ann.papers.count == 1 && ann.pets.count == 2)
        try fixture.other.perform(synchronous: { other in
            let ann = try #require(try other.fetchOne(From<Owner>().where(\.$name == "Ann")))
            ann.papers.insert(other.create(Into<Paper>()))
            other.delete(ann.pets.first)
        })
        child.refreshAndMergeAllObjects()
        #expect(ann.papers.count == 2)
        #expect(ann.pets.count == 1)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `with throwOnConflict, a link to an object deleted by another transaction is a conflict`(
        _ backend: TestBackend
    ) throws {
        for deletesPaper in [false, true] {
            let fixture = try Fixture(backend)
            let transaction = fixture.one.stack.beginUnsafe(conflictPolicy: .throwOnConflict)
            let bob = try #require(try transaction.fetchOne(From<Owner>().where(\.$name == "Bob")))
            bob.papers = Set(try transaction.fetchAll(From<Paper>()))
            try fixture.one.stack.perform(synchronous: { other in
                if deletesPaper {
                    other.delete(try other.fetchOne(From<Paper>()))
                } else {
                    other.delete(try Self.bob(other))
                }
            })
            let error = #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
            #expect(error?.storageError?.code == .conflict)
        }
    }
}
