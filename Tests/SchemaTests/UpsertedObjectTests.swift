import Coffer
import TestSupport
import Testing

/// Objects that are merged into stored ones when they are saved.
@MainActor
struct UpsertedObjectTests {
    private func names(_ test: TestStack) throws -> [String] {
        try test.stack.fetchAll(From<Account>().orderBy(.ascending(\.$name))).map(\.name)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a merged object of an unsafe transaction becomes the stored object`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, .accounts())
        let old = try test.stack.saveAnn()
        let transaction = test.stack.beginUnsafe()
        let new = transaction.sign(up: "a@x", "Anna")
        let id = new.objectID()
        try transaction.commitAndWait()
        #expect(!new.isDeleted)
        #expect(new.objectID() == old)
        #expect(new.name == "Anna")
        #expect(!transaction.hasChanges)
        #expect(!transaction.objectHasPersistentChangedValues(new))
        #expect(transaction.fetchExisting(id) as Account? === new)
        #expect(transaction.fetchExisting(old) as Account? === new)
        #expect(try transaction.fetchAll(From<Account>()).map(ObjectIdentifier.init) == [ObjectIdentifier(new)])
        new.name = "Annie"
        new.tags = ["a", "b"]
        #expect(transaction.objectHasPersistentChangedValues(new))
        #expect(transaction.updatedObjectIDs() == [old])
        try transaction.commitAndWait()
        #expect(try names(test) == ["Annie"])
        #expect(try test.stack.fetchOne(From<Account>())?.tags == ["a", "b"])
        transaction.delete(new)
        #expect(new.isDeleted)
        try transaction.commitAndWait()
        #expect(try names(test) == [])
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a merged object has its own relationships and the relationships of the stored object`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, .accounts())
        try test.stack.saveAnn()
        let transaction = test.stack.beginUnsafe()
        let new = transaction.sign(up: "a@x", "Anna")
        let letter = transaction.letter("new")
        letter.author = new
        let club = transaction.club("new")
        club.members = [new]
        let bob = transaction.sign(up: "b@x", "Bob")
        bob.sponsor = new
        #expect(new.letters.map(\.title) == ["new"])
        try transaction.commitAndWait()
        #expect(letter.author === new)
        #expect(bob.sponsor === new)
        #expect(new.sponsored == [bob])
        #expect(new.letters.map(\.title) == ["old", "new"])
        #expect(Set(new.clubs.map(\.title)) == ["old", "new"])
        #expect(club.members.contains(new))
        new.letters.append(transaction.letter("last"))
        new.clubs = [club]
        new.sponsor = bob
        try transaction.commitAndWait()
        let ann = try #require(try test.stack.fetchOne(From<Account>().where(\.$email == "a@x")))
        #expect(ann.letters.map(\.title) == ["old", "new", "last"])
        #expect(ann.clubs.map(\.title) == ["new"])
        #expect(ann.sponsor?.name == "Bob")
        #expect(ann.sponsored.map(\.name) == ["Bob"])
        #expect(try test.stack.fetchCount(From<Letter>()) == 3)
        transaction.delete(new)
        try transaction.commitAndWait()
        // The delete rule of the letters is 'cascade', also for the former letters of the stored account.
        #expect(try test.stack.fetchCount(From<Letter>()) == 0)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `changes of two objects that represent one row are saved`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, .accounts())
        let id = try test.stack.saveAnn()
        let transaction = test.stack.beginUnsafe()
        let known = try #require(try transaction.fetchOne(From<Account>()))
        let new = transaction.sign(up: "a@x", "Anna")
        new.note = "set before"
        try transaction.commitAndWait()
        #expect(new == known)
        #expect(new.hashValue == known.hashValue)
        #expect([new, known].allSatisfy { $0.objectID() == id && $0.name == "Anna" && !$0.isDeleted })
        #expect(known.note == "set before")
        new.name = "Annie"
        #expect(known.name == "Annie")
        known.name += " and a name that is too long for the room that a row has left"
        #expect(new.name == known.name)
        known.visits = 9
        new.tags = ["x"]
        new.note = "set after"
        #expect(new.visits == 9)
        #expect(known.tags == ["x"])
        #expect(known.note == "set after")
        #expect(transaction.updatedObjects(Account.self) == [known])
        #expect(transaction.objectHasPersistentChangedValues(new))
        let letter = transaction.letter("new")
        letter.author = new
        #expect(letter.author === known)
        #expect(known.letters.map(\.title) == ["old", "new"])
        new.clubs = []
        #expect(known.clubs == [])
        #expect(transaction.edit(new)?.visits == 9)
        try transaction.commitAndWait()
        let ann = try #require(try test.stack.fetchOne(From<Account>()))
        #expect(ann.name == known.name)
        #expect(ann.visits == 9)
        #expect(ann.tags == ["x"])
        #expect(ann.letters.map(\.title) == ["old", "new"])
        #expect(ann.clubs == [])
        new.visits = 10
        new.refreshAsFault()
        #expect(known.visits == 9)
        transaction.delete(new)
        #expect(known.isDeleted)
        #expect(new.isDeleted)
        try transaction.commitAndWait()
        #expect(try test.stack.fetchCount(From<Account>()) == 0)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `three new objects with the same unique values represent one row after the commit`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, .accounts())
        let transaction = test.stack.beginUnsafe()
        let accounts = ["first", "second", "third"].map { transaction.sign(up: "a@x", $0) }
        try transaction.commitAndWait()
        #expect(Set(accounts.map { $0.objectID() }).count == 1)
        #expect(accounts.map(\.name) == ["third", "third", "third"])
        accounts[1].name = "other"
        accounts[2].visits = 3
        #expect(accounts[0].name == "other")
        // One more object has the unique values of the row that three objects represent.
        let last = transaction.sign(up: "a@x", "last")
        #expect(throws: Never.self) { try transaction.commitAndWait() }
        #expect(last == accounts[0])
        #expect(accounts.map(\.name) == ["last", "last", "last"])
        last.name = "end"
        #expect(accounts.map(\.name) == ["end", "end", "end"])
        try transaction.commitAndWait()
        #expect(try names(test) == ["end"])
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a new object can represent a stored object of a subclass`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, .accounts())
        try test.stack.perform(synchronous: { transaction in
            let manager = transaction.create(Into<Manager>())
            manager.email = "a@x"
            manager.level = 7
        })
        let transaction = test.stack.beginUnsafe()
        let new = transaction.sign(up: "a@x", "Anna")
        new.note = "hers"
        try transaction.commitAndWait()
        #expect(!(new is Manager))
        let manager = try #require(try transaction.fetchOne(From<Manager>()))
        #expect(manager == new)
        #expect(manager.level == 7)
        #expect(manager.note == "hers")
        #expect(manager.badge == nil)
        new.note = "mine"
        new.name = "Annie"
        new.tags = ["t"]
        #expect(manager.note == "mine")
        #expect(manager.tags == ["t"])
        manager.badge = "gold"
        #expect(new.note == "mine")
        new.letters = [transaction.letter("l")]
        try transaction.commitAndWait()
        let stored = try #require(try test.stack.fetchOne(From<Manager>()))
        #expect((stored.name, stored.level) == ("Annie", 7))
        #expect(stored.letters.count == 1)
        #expect(stored.tags == ["t"])
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a new object of a subclass is refused if the stored object is of the superclass`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, .accounts())
        try test.stack.saveAnn()
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction in
                let manager = transaction.create(Into<Manager>())
                manager.email = "a@x"
                manager.level = 7
            })
        }
        #expect(
            error?.storageError?.message
                == "'Account.email' must be unique, but a row of 'Account', not of 'Manager', already has this value. "
                + "Change one of the rows, or merge them.")
        #expect(try names(test) == ["Ann"])
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `changes of a merged object can be undone and redone`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, .accounts())
        try test.stack.saveAnn()
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        let known = try #require(try transaction.fetchOne(From<Account>()))
        let new = transaction.sign(up: "a@x", "Anna")
        try transaction.commitAndWait()
        transaction.undo()
        #expect(!new.isDeleted)
        #expect(new.name == "Anna")
        transaction.flush { new.name = "one" }
        transaction.flush { known.name = "two" }
        transaction.undo()
        #expect((new.name, known.name) == ("one", "one"))
        transaction.redo()
        #expect((new.name, known.name) == ("two", "two"))
        transaction.flush { transaction.delete(new) }
        transaction.undo()
        #expect(!new.isDeleted && !known.isDeleted)
        try transaction.commitAndWait()
        #expect(try names(test) == ["two"])
        new.name = "three"
        transaction.rollback()
        #expect((new.name, known.name) == ("two", "two"))
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a merged object that a synchronous transaction returns is the stored object`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, .accounts())
        let id = try test.stack.saveAnn()
        let ann = try #require(try test.stack.fetchOne(From<Account>()))
        let (new, known) = try test.stack.perform(synchronous: { transaction in
            let known = try #require(try transaction.fetchOne(From<Account>()))
            known.visits = 7
            known.name = "lost"
            return (transaction.sign(up: "a@x", "Anna"), known)
        })
        for object in [new, known] {
            #expect(object.objectID() == id)
            #expect((object.name, object.visits) == ("Anna", 1))
            #expect(!object.isDeleted)
            #expect(test.stack.fetchExisting(object) === ann)
        }
        #expect(ann.name == "Anna")
        let alone = try test.stack.perform(synchronous: { $0.sign(up: "a@x", "Annie") })
        #expect(alone.objectID() == id)
        #expect(test.stack.fetchExisting(alone) === ann)
        #expect(ann.name == "Annie")
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `observers of a merged object are called for changes of the stored object`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, .accounts())
        try test.stack.saveAnn()
        let transaction = test.stack.beginUnsafe()
        let known = try #require(try transaction.fetchOne(From<Account>()))
        let new = transaction.sign(up: "a@x", "Anna")
        var heard: [String] = []
        let before = new.observe(\.$name, options: [.new]) { heard.append("before: \($1.newValue ?? "")") }
        try transaction.commitAndWait()
        let after = new.observe(\.$name, options: [.new]) { heard.append("after: \($1.newValue ?? "")") }
        heard = []
        known.name = "known"
        new.name = "new"
        #expect(heard == ["before: known", "after: known", "before: new", "after: new"])
        before.invalidate()
        after.invalidate()
        #expect(new.asSnapshot(in: transaction)?.$name == "new")
        let snapshot = try #require(new.asSnapshot(in: transaction))
        known.name = "later"
        #expect(snapshot.$name == "new")
    }
}
