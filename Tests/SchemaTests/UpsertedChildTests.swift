import Coffer
import TestSupport
import Testing

/// Objects of child transactions whose rows were merged into stored ones when the parent was saved.
@MainActor
struct UpsertedChildTests {
    /// Returns a parent with a new account that will be merged into Ann's, and a child of the parent.
    private func make(
        _ backend: TestBackend, supportsUndo: Bool = false
    ) throws -> (test: TestStack, parent: UnsafeDataTransaction, child: UnsafeDataTransaction, new: Account) {
        let test = try TestStack(backend, .accounts())
        try test.stack.saveAnn()
        let parent = test.stack.beginUnsafe()
        let new = parent.sign(up: "a@x", "Anna")
        return (test, parent, parent.beginUnsafe(supportsUndo: supportsUndo), new)
    }

    private func saveBoth(_ child: UnsafeDataTransaction, _ parent: UnsafeDataTransaction) throws {
        try child.commitAndWait()
        try parent.commitAndWait()
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `changes that a child made to a merged object are saved`(_ backend: TestBackend) throws {
        let (test, parent, child, new) = try make(backend)
        let own = try #require(child.edit(new))
        own.visits = 8
        let letter = child.letter("child's")
        letter.author = own
        own.clubs = [child.club("child's")]
        try parent.commitAndWait()
        #expect(!own.isDeleted)
        #expect(own.objectID() == new.objectID())
        #expect((own.name, own.visits) == ("Anna", 8))
        #expect(letter.author === own)
        #expect(own.letters.map(\.title) == ["old", "child's"])
        #expect(own.clubs.map(\.title).contains("child's"))
        own.name = "Annie"
        try saveBoth(child, parent)
        let ann = try #require(try test.stack.fetchOne(From<Account>()))
        #expect((ann.name, ann.visits) == ("Annie", 8))
        #expect(ann.letters.map(\.title) == ["old", "child's"])
        #expect(Set(ann.clubs.map(\.title)) == ["old", "child's"])
        #expect(try test.stack.fetchCount(From<Account>()) == 1)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `an object that a child created and its parent merged stays valid in the child`(
        _ backend: TestBackend
    ) throws {
        let (test, parent, child, _) = try make(backend)
        let own = child.sign(up: "a@x", "from the child")
        try child.commitAndWait()
        try parent.commitAndWait()
        #expect(!own.isDeleted)
        #expect(own.name == "from the child")
        own.name = "again"
        try saveBoth(child, parent)
        #expect(try test.stack.fetchAll(From<Account>()).map(\.name) == ["again"])
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `changes of a child to two objects that become one row are saved`(_ backend: TestBackend) throws {
        let (test, parent, child, new) = try make(backend)
        let stored = try #require(
            try child.fetchOne(From<Account>().where(\.$email == "a@x" && \.$name == "Ann")))
        let own = try #require(child.edit(new))
        #expect(stored != own)
        stored.password = "changed"
        own.visits = 8
        try parent.commitAndWait()
        #expect(stored == own)
        #expect((own.name, own.password, own.visits) == ("Anna", "changed", 8))
        #expect(stored.visits == 8)
        try saveBoth(child, parent)
        let ann = try #require(try test.stack.fetchOne(From<Account>()))
        #expect((ann.name, ann.password, ann.visits) == ("Anna", "changed", 8))
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a child that set two values for one property of a merged object is refused`(_ backend: TestBackend) throws {
        let (test, parent, child, new) = try make(backend, supportsUndo: true)
        let stored = try #require(
            try child.fetchOne(From<Account>().where(\.$email == "a@x" && \.$name == "Ann")))
        let own = try #require(child.edit(new))
        stored.visits = 6
        own.visits = 8
        try parent.commitAndWait()
        let error = #expect(throws: CoreStoreError.self) { try child.commitAndWait() }
        #expect(error?.storageError?.code == .conflict)
        #expect(
            error?.storageError?.message
                == "'Account.visits' of \(own.objectID()) was changed in two objects, which were merged when the "
                + "parent transaction was saved. Roll back, and make the change again.")
        child.rollback()
        own.visits = 9
        #expect(stored.visits == 9)
        try saveBoth(child, parent)
        #expect(try test.stack.fetchOne(From<Account>())?.visits == 9)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a child that deletes a merged object deletes the stored object`(_ backend: TestBackend) throws {
        let (test, parent, child, new) = try make(backend)
        let own = try #require(child.edit(new))
        child.delete(own)
        try parent.commitAndWait()
        #expect(own.isDeleted)
        try saveBoth(child, parent)
        #expect(try test.stack.fetchCount(From<Account>()) == 0)
        #expect(try test.stack.fetchCount(From<Letter>()) == 0)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a child can undo changes that it made before its parent was saved`(_ backend: TestBackend) throws {
        let (test, parent, child, new) = try make(backend, supportsUndo: true)
        let own = try #require(child.edit(new))
        child.flush { own.visits = 2 }
        child.flush { own.visits = 3 }
        let letter = child.letter("child's")
        child.flush { letter.author = own }
        try parent.commitAndWait()
        child.undo()
        #expect(own.letters.map(\.title) == ["old"])
        child.undo()
        #expect((own.name, own.visits) == ("Anna", 2))
        #expect(own.objectID() == new.objectID())
        child.redo()
        #expect(own.visits == 3)
        child.redo()
        #expect(letter.author === own)
        try saveBoth(child, parent)
        let ann = try #require(try test.stack.fetchOne(From<Account>()))
        #expect((ann.name, ann.visits) == ("Anna", 3))
        #expect(ann.letters.map(\.title) == ["old", "child's"])
    }
}
