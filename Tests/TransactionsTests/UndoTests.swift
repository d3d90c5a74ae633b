import Coffer
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
    @Field.Relationship("boss") var boss: Person?
    @Field.Relationship("team", inverse: \.$boss) var team: Set<Person>
    @Field.Relationship("clubs", inverse: \.$members) var clubs: [Club]
}

private final class Club: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("members") var members: Set<Person>
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person"), Entity<Club>("Club")])

@MainActor
struct UndoTests {
    /// Returns a stack with Ann, who is the boss of Bob and a member of the clubs c1 and c2.
    private func make(
        _ backend: TestBackend
    ) throws -> (
        test: TestStack, transaction: UnsafeDataTransaction, ann: Person, bob: Person, clubs: [Club]
    ) {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        let ann = transaction.create(Into<Person>())
        ann.name = "Ann"
        let bob = transaction.create(Into<Person>())
        bob.name = "Bob"
        bob.boss = ann
        let clubs = ["c1", "c2"].map { name in
            let club = transaction.create(Into<Club>())
            club.name = name
            return club
        }
        ann.clubs = clubs
        try transaction.commitAndWait()
        return (test, transaction, ann, bob, clubs)
    }

    private func names(_ transaction: UnsafeDataTransaction) throws -> [String] {
        try transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name))).map(\.name)
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `rollback discards inserts, edits, deletes and relationships since the last commit`(
        _ backend: TestBackend
    ) throws {
        let (test, transaction, ann, bob, clubs) = try make(backend)
        let eve = transaction.create(Into<Person>())
        eve.name = "Eve"
        eve.boss = ann
        ann.name = "Anna"
        ann.clubs = [clubs[1]]
        bob.boss = nil
        transaction.delete(bob)
        #expect(ann.team == [eve])
        transaction.rollback()
        #expect(!transaction.hasChanges)
        #expect(eve.isDeleted)
        #expect(!bob.isDeleted)
        #expect(ann.name == "Ann")
        #expect(bob.boss === ann)
        #expect(ann.team == [bob])
        #expect(ann.clubs == clubs)
        #expect(clubs[0].members == [ann])
        #expect(try names(transaction) == ["Ann", "Bob"])
        try transaction.commitAndWait()
        #expect(try test.stack.fetchCount(From<Person>()) == 2)
        ann.name = "Anne"
        try transaction.commitAndWait()
        #expect(try test.stack.fetchCount(From<Person>().where(\.$name == "Anne")) == 1)
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `undo and redo restore inserts, edits and deletes step by step`(_ backend: TestBackend) throws {
        let (test, transaction, ann, bob, _) = try make(backend)
        transaction.flush { ann.age = 1 }
        transaction.flush { ann.age = 2 }
        var eve: Person?
        transaction.flush {
            eve = transaction.create(Into<Person>())
            eve?.name = "Eve"
        }
        transaction.flush { transaction.delete(bob) }
        #expect(try names(transaction) == ["Ann", "Eve"])
        transaction.undo()
        #expect(try names(transaction) == ["Ann", "Bob", "Eve"])
        #expect(bob.boss === ann)
        #expect(ann.team == [bob])
        transaction.undo()
        #expect(try names(transaction) == ["Ann", "Bob"])
        #expect(eve?.isDeleted == true)
        #expect(ann.age == 2)
        transaction.undo()
        #expect(ann.age == 1)
        transaction.undo()
        #expect(ann.age == 0)
        #expect(!transaction.hasChanges)
        transaction.undo()
        #expect(ann.age == 0)
        for _ in 0..<3 { transaction.redo() }
        #expect(ann.age == 2)
        #expect(try names(transaction) == ["Ann", "Bob", "Eve"])
        #expect(eve?.isDeleted == false)
        transaction.redo()
        #expect(try names(transaction) == ["Ann", "Eve"])
        transaction.redo()
        #expect(bob.isDeleted)
        try transaction.commitAndWait()
        let seen = try test.stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
        #expect(seen.map(\.name) == ["Ann", "Eve"])
        #expect(seen.map(\.age) == [2, 0])
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `undo without flush reverts all changes since the last flush`(_ backend: TestBackend) throws {
        let (test, transaction, ann, _, _) = try make(backend)
        defer { withExtendedLifetime(test) {} }
        transaction.flush { ann.age = 1 }
        ann.age = 2
        ann.age = 3
        transaction.undo()
        #expect(ann.age == 1)
        transaction.redo()
        #expect(ann.age == 3)
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `a change after an undo clears the redo history`(_ backend: TestBackend) throws {
        let (test, transaction, ann, _, _) = try make(backend)
        defer { withExtendedLifetime(test) {} }
        transaction.flush { ann.age = 1 }
        transaction.flush { ann.age = 2 }
        transaction.undo()
        transaction.flush { ann.name = "Anna" }
        transaction.redo()
        #expect(ann.age == 1)
        #expect(ann.name == "Anna")
        transaction.undo()
        #expect(ann.age == 1)
        #expect(ann.name == "Ann")
    }

    @Test(.pins("TX-24", "TX-42"), arguments: TestBackend.allCases)
    func `deleting a deleted object adds no undo step and keeps the redo steps`(
        _ backend: TestBackend
    ) throws {
        let (test, transaction, ann, bob, _) = try make(backend)
        defer { withExtendedLifetime(test) {} }
        transaction.flush { ann.age = 1 }
        transaction.flush { transaction.delete(bob) }
        transaction.flush { transaction.delete(bob) }
        transaction.undo()
        #expect(!bob.isDeleted && ann.age == 1)
        let eve = transaction.create(Into<Person>())
        transaction.flush()
        transaction.undo()
        #expect(eve.isDeleted)
        transaction.delete(eve)
        transaction.redo()
        #expect(!eve.isDeleted)
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `undo of relationships restores both sides and their order`(_ backend: TestBackend) throws {
        let (test, transaction, ann, bob, clubs) = try make(backend)
        transaction.flush { ann.clubs = [clubs[1], clubs[0]] }
        transaction.flush { ann.clubs = [] }
        transaction.flush { bob.boss = nil }
        #expect(ann.team.isEmpty)
        transaction.undo()
        #expect(ann.team == [bob])
        transaction.undo()
        #expect(ann.clubs == [clubs[1], clubs[0]])
        #expect(clubs[0].members == [ann])
        transaction.undo()
        #expect(ann.clubs == clubs)
        transaction.redo()
        #expect(ann.clubs == [clubs[1], clubs[0]])
        try transaction.commitAndWait()
        let seen = try #require(try test.stack.fetchOne(From<Person>().where(\.$name == "Ann")))
        #expect(seen.clubs.map(\.name) == ["c2", "c1"])
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `a refresh keeps a pending order of a relationship`(_ backend: TestBackend) throws {
        let (test, transaction, ann, _, clubs) = try make(backend)
        ann.clubs = [clubs[1], clubs[0]]
        transaction.refreshAndMergeAllObjects()
        #expect(ann.clubs == [clubs[1], clubs[0]])
        try transaction.commitAndWait()
        let seen = try #require(try test.stack.fetchOne(From<Person>().where(\.$name == "Ann")))
        #expect(seen.clubs.map(\.name) == ["c2", "c1"])
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `after a commit there is nothing to undo`(_ backend: TestBackend) throws {
        let (test, transaction, ann, _, _) = try make(backend)
        defer { withExtendedLifetime(test) {} }
        ann.age = 5
        try transaction.commitAndWait()
        transaction.undo()
        transaction.redo()
        #expect(ann.age == 5)
        #expect(!transaction.hasChanges)
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `rollback, undo and redo without supportsUndo fail an assertion`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe()
        let recording = RecordingLogger.record("needs a transaction begun with 'supportsUndo: true'.") {
            transaction.rollback()
            transaction.undo()
            transaction.redo()
        }
        #expect(
            recording.assertions
                == ["rollback", "undo", "redo"].map {
                    "'\($0)' needs a transaction begun with 'supportsUndo: true'."
                })
    }
}
