import Coffer
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
    @Field.Relationship("boss") var boss: Person?
    @Field.Relationship("team", inverse: \.$boss) var team: Set<Person>
    @Field.Relationship("friends", inverse: \.$friendOf) var friends: [Person]
    @Field.Relationship("friendOf") var friendOf: Set<Person>
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")])

@MainActor
struct ChildTransactionTests {
    private func names(_ source: any FetchableSource) throws -> [String] {
        try source.fetchAll(From<Person>().orderBy(.ascending(\.$name))).map(\.name)
    }

    /// Returns a stack with Ann, who is the boss of Bob and a friend of Eve.
    private func make(_ backend: TestBackend) throws -> (test: TestStack, people: [Person]) {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let people = ["Ann", "Bob", "Eve"].map { name in
                let person = transaction.create(Into<Person>())
                person.name = name
                return person
            }
            people[1].boss = people[0]
            people[0].friends = [people[2], people[1]]
        })
        return (test, try test.stack.fetchAll(From<Person>().orderBy(.ascending(\.$name))))
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `the commit of a child transaction changes only its parent`(_ backend: TestBackend) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let ann = try #require(child.edit(people[0]))
        ann.name = "Anna"
        child.create(Into<Person>()).name = "Zoe"
        child.delete(people[1])
        #expect(try names(child) == ["Anna", "Eve", "Zoe"])
        #expect(try names(parent) == ["Ann", "Bob", "Eve"])
        try child.commitAndWait()
        #expect(!child.hasChanges)
        #expect(parent.hasChanges)
        #expect(try names(parent) == ["Anna", "Eve", "Zoe"])
        #expect(try names(test.stack) == ["Ann", "Bob", "Eve"])
        try parent.commitAndWait()
        #expect(try names(test.stack) == ["Anna", "Eve", "Zoe"])
        #expect(people[0].name == "Anna")
        #expect(people[1].isDeleted)
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `a child transaction sees the pending changes of its parent`(_ backend: TestBackend) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        let zoe = parent.create(Into<Person>())
        zoe.name = "Zoe"
        parent.edit(people[0])?.age = 50
        parent.edit(people[1])?.boss = zoe
        parent.delete(people[2])
        let child = parent.beginUnsafe()
        #expect(try names(child) == ["Ann", "Bob", "Zoe"])
        let own = try #require(child.edit(zoe))
        #expect(own !== zoe)
        #expect(own.team.map(\.name) == ["Bob"])
        #expect(try child.fetchAll(From<Person>().where((\Person.$boss ~ \.$name) == "Zoe")).map(\.name) == ["Bob"])
        #expect(try child.fetchOne(From<Person>().where(\.$age == 50))?.friends.map(\.name) == ["Bob"])
        #expect(child.edit(people[2]) == nil)
        own.name = "Zora"
        try child.commitAndWait()
        #expect(zoe.name == "Zora")
        #expect(try names(test.stack) == ["Ann", "Bob", "Eve"])
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `the commit of a child applies relationships and their order to the parent`(_ backend: TestBackend) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let own = people.compactMap { child.edit($0) }
        own[0].friends = [own[1], own[2]]
        own[2].boss = own[0]
        own[1].boss = own[2]
        try child.commitAndWait()
        let ann = try #require(parent.edit(people[0]))
        #expect(ann.friends.map(\.name) == ["Bob", "Eve"])
        #expect(ann.team.map(\.name) == ["Eve"])
        try parent.commitAndWait()
        #expect(people[0].friends == [people[1], people[2]])
        #expect(people[0].team == [people[2]])
        #expect(people[2].team == [people[1]])
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `a link that the parent removed exists again after its child adds the link`(_ backend: TestBackend) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        parent.edit(people[0])?.friends = []
        let child = parent.beginUnsafe()
        let (ann, eve) = (try #require(child.edit(people[0])), try #require(child.edit(people[2])))
        #expect(ann.friends.isEmpty)
        ann.friends = [eve]
        try child.commitAndWait()
        #expect(parent.edit(people[0])?.friends.map(\.name) == ["Eve"])
        try parent.commitAndWait()
        #expect(people[0].friends == [people[2]])
        #expect(people[1].friendOf.isEmpty)
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `each commit of nested child transactions changes only the next parent`(_ backend: TestBackend) throws {
        let (test, people) = try make(backend)
        let top = test.stack.beginUnsafe()
        let middle = top.beginUnsafe()
        let bottom = middle.beginUnsafe()
        let ann = try #require(bottom.edit(people[0]))
        for (index, transaction) in [bottom, middle, top].enumerated() {
            ann.age = index + 1
            try bottom.commitAndWait()
            if index > 0 { try middle.commitAndWait() }
            if index > 1 { try top.commitAndWait() }
            #expect(transaction.edit(people[0])?.age == index + 1)
        }
        #expect(people[0].age == 3)
        // Several rounds, because a transaction must not confuse values that a child committed with values that its
        // parent knows.
        let mine = try #require(top.edit(people[0]))
        mine.age = 10
        try top.commitAndWait()
        #expect(try bottom.fetchOne(From<Person>().where(\.$name == "Ann"))?.age == 10)
        bottom.delete(ann)
        try bottom.commitAndWait()
        try middle.commitAndWait()
        #expect(!people[0].isDeleted)
        try top.commitAndWait()
        #expect(people[0].isDeleted)
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `a child transaction that is released without a commit changes nothing in its parent`(
        _ backend: TestBackend
    ) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        do {
            let child = parent.beginUnsafe(supportsUndo: true)
            child.edit(people[0])?.name = "Anna"
            child.delete(people[1])
            child.rollback()
            child.create(Into<Person>()).name = "Zoe"
        }
        #expect(!parent.hasChanges)
        #expect(try names(parent) == ["Ann", "Bob", "Eve"])
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `the commit of a child does not pass on properties that were set to their current values`(
        _ backend: TestBackend
    ) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let bob = try #require(child.edit(people[1]))
        bob.name = "Rob"
        bob.age = 0
        bob.boss = child.edit(people[0])
        try child.commitAndWait()
        let (ann, eve) = (people[0], people[2])
        try test.stack.perform(synchronous: { transaction in
            let stored = try #require(transaction.edit(people[1]))
            stored.age = 40
            stored.boss = transaction.edit(eve)
        })
        parent.refreshAndMergeAllObjects()
        let shown = try #require(parent.fetchExisting(people[1]))
        #expect(shown.name == "Rob")
        #expect(shown.age == 40)
        #expect(shown.boss?.name == "Eve")
        try parent.commitAndWait()
        #expect(people[1].name == "Rob")
        #expect(people[1].age == 40)
        #expect(people[1].boss === eve)
        #expect(ann.team.isEmpty)
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `a child's change of an object that the parent deleted is a conflict and changes nothing`(
        _ backend: TestBackend
    ) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        child.create(Into<Person>()).name = "Zoe"
        child.edit(people[0])?.name = "Anna"
        child.edit(people[1])?.name = "Bobby"
        parent.delete(people[1])
        let error = #expect(throws: CoreStoreError.self) { try child.commitAndWait() }
        #expect(
            error?.description
                == "conflict: \(people[1].objectID()) was deleted in the parent transaction while the child transaction changed it. Delete or refresh it in the child, and commit again (save)."
        )
        #expect(try names(parent) == ["Ann", "Eve"])
        #expect(try names(child).contains("Zoe"))
        child.delete(people[1])
        try child.commitAndWait()
        #expect(try names(parent) == ["Anna", "Eve", "Zoe"])
    }

    @Test(.pins("TX-44", "FLD-44"), arguments: TestBackend.allCases)
    func `a child's deletion of an object ends references to it that the parent added later`(
        _ backend: TestBackend
    ) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        child.delete(people[2])
        let (bob, zoe) = (try #require(parent.edit(people[1])), parent.create(Into<Person>()))
        for person in [bob, zoe] { person.boss = parent.edit(people[2]) }
        try child.commitAndWait()
        #expect(bob.boss == nil && zoe.boss == nil)
        #expect(try parent.fetchCount(From<Person>().where(\.$boss != nil)) == 0)
        try parent.commitAndWait()
        #expect(try test.stack.fetchCount(From<Person>().where(\.$boss != nil)) == 0)
    }

    @Test(.pins("TX-44", "TX-46"), arguments: TestBackend.allCases)
    func `a child's reference to an object that the parent deleted is a conflict`(
        _ backend: TestBackend
    ) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let bob = try #require(child.edit(people[1]))
        bob.boss = child.edit(people[2])
        parent.delete(people[2])
        let error = #expect(throws: CoreStoreError.self) { try child.commitAndWait() }
        #expect(error?.storageError?.code == .conflict)
        #expect(parent.fetchExisting(people[1])?.boss?.name == "Ann")
        bob.boss = nil
        try child.commitAndWait()
        try parent.commitAndWait()
        #expect(try test.stack.fetchCount(From<Person>().where(\.$boss != nil)) == 0)
    }

    @Test(.pins("TX-44", "TX-46"), arguments: TestBackend.allCases)
    func `a child's reference is a conflict if the parent saved the deletion or undid the creation`(
        _ backend: TestBackend
    ) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe(supportsUndo: true)
        let first = parent.beginUnsafe()
        first.edit(people[1])?.boss = first.edit(people[2])
        parent.delete(people[2])
        try parent.commitAndWait()
        var eve: Person?
        parent.flush { eve = parent.create(Into<Person>()) }
        let second = parent.beginUnsafe()
        second.edit(people[1])?.boss = second.edit(eve)
        parent.undo()
        for child in [first, second] {
            let error = #expect(throws: CoreStoreError.self) { try child.commitAndWait() }
            #expect(error?.storageError?.code == .conflict)
        }
        try parent.commitAndWait()
        #expect(try test.stack.fetchOne(From<Person>().where(\.$name == "Bob"))?.boss?.name == "Ann")
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `after a fetch, a child applies delete rules to the relationships of its parent`(
        _ backend: TestBackend
    ) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let (ann, eve) = (try #require(child.edit(people[0])), try #require(child.edit(people[2])))
        #expect(ann.team.map(\.name) == ["Bob"])
        try #require(parent.edit(people[1])).boss = parent.edit(people[2])
        let bob = try #require(try child.fetchOne(From<Person>().where(\.$name == "Bob")))
        #expect(ann.team.isEmpty && eve.team == [bob] && bob.boss === eve)
        child.delete(ann)
        try child.commitAndWait()
        try parent.commitAndWait()
        let stored = try #require(try test.stack.fetchOne(From<Person>().where(\.$name == "Bob")))
        #expect(stored.boss?.name == "Eve")
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `after its commit, a child shows its parent's values of the objects that it changed`(
        _ backend: TestBackend
    ) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let ann = try #require(child.edit(people[0]))
        ann.name = "Anna"
        try #require(parent.edit(people[0])).age = 5
        try child.commitAndWait()
        #expect(ann.name == "Anna" && ann.age == 5)
        ann.age = 0
        try child.commitAndWait()
        try parent.commitAndWait()
        #expect(people[0].age == 0 && people[0].name == "Anna")
    }

    @Test(.pins("TX-28", "TX-44"), arguments: TestBackend.allCases)
    func `refreshing a child shows the parent's pending changes and keeps the child's changes`(
        _ backend: TestBackend
    ) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let own = people.compactMap { child.edit($0) }
        own[0].age = 1
        #expect(own[1].boss === own[0])
        let (ann, bob) = (try #require(parent.edit(people[0])), try #require(parent.edit(people[1])))
        (ann.name, ann.age, bob.boss) = ("Anna", 9, nil)
        parent.delete(people[2])
        child.refreshAndMergeAllObjects()
        #expect("\(own[0].name) \(own[0].age)" == "Anna 1")
        #expect(own[1].boss == nil && own[0].team.isEmpty && own[2].isDeleted)
        try child.commitAndWait()
        #expect("\(ann.name) \(ann.age)" == "Anna 1" && bob.boss == nil)
        #expect(try names(parent) == ["Anna", "Bob"])
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `the commit of an unchanged child keeps the changes that its parent can redo`(_ backend: TestBackend) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe(supportsUndo: true)
        let ann = try #require(parent.edit(people[0]))
        parent.flush { ann.age = 1 }
        parent.undo()
        try parent.beginUnsafe().commitAndWait()
        parent.redo()
        #expect(ann.age == 1)
        let child = parent.beginUnsafe()
        child.delete(child.create(Into<Person>()))
        child.edit(ann)?.age = 1
        try child.commitAndWait()
        parent.undo()
        #expect(ann.age == 0 && !parent.hasChanges)
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `a parent can undo and redo the changes of a child's commit`(_ backend: TestBackend) throws {
        let (test, people) = try make(backend)
        let parent = test.stack.beginUnsafe(supportsUndo: true)
        let child = parent.beginUnsafe()
        child.edit(people[0])?.name = "Anna"
        child.create(Into<Person>()).name = "Zoe"
        try child.commitAndWait()
        parent.flush()
        parent.undo()
        #expect(try names(parent) == ["Ann", "Bob", "Eve"])
        parent.redo()
        #expect(try names(parent) == ["Anna", "Bob", "Eve", "Zoe"])
        parent.rollback()
        #expect(!parent.hasChanges)
    }
}
