import Coffer
import TestSupport
import Testing

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("boss") var boss: Person?
    @Field.Relationship("team", inverse: \.$boss) var team: Set<Person>
    @Field.Relationship("spouse", inverse: \.$spouseOf) var spouse: Person?
    @Field.Relationship("spouseOf") var spouseOf: Person?
    @Field.Relationship("pets", inverse: \.$owner, deleteRule: .cascade) var pets: Set<Pet>
    @Field.Relationship("passport", inverse: \.$holder, deleteRule: .cascade) var passport: Passport?
    @Field.Relationship("desk", inverse: \.$user, deleteRule: .deny) var desk: Desk?
    @Field.Relationship("clubs", inverse: \.$members) var clubs: Set<Club>
    @Field.Relationship("papers", inverse: \.$authors, deleteRule: .cascade) var papers: Set<Paper>
    @Field.Relationship("courts", inverse: \.$judges, deleteRule: .deny) var courts: Set<Court>
}

private final class Pet: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("owner") var owner: Person?
    @Field.Relationship("toys", inverse: \.$pet, deleteRule: .cascade) var toys: Set<Toy>
}

private final class Toy: CoreStoreObject {
    @Field.Relationship("pet") var pet: Pet?
}

private final class Passport: CoreStoreObject {
    @Field.Relationship("holder") var holder: Person?
}

private final class Desk: CoreStoreObject {
    @Field.Relationship("user") var user: Person?
}

private final class Club: CoreStoreObject {
    @Field.Relationship("members") var members: [Person]
}

private final class Paper: CoreStoreObject {
    @Field.Relationship("authors") var authors: Set<Person>
}

private final class Court: CoreStoreObject {
    @Field.Relationship("judges") var judges: Set<Person>
}

private let schema = CoreStoreSchema(
    modelVersion: "V1",
    entities: [
        Entity<Person>("Person"), Entity<Pet>("Pet"), Entity<Toy>("Toy"), Entity<Passport>("Passport"),
        Entity<Desk>("Desk"), Entity<Club>("Club"), Entity<Paper>("Paper"), Entity<Court>("Court"),
    ])

/// Delete rules at a commit, for objects that others related to an object while a transaction deleted that object.
@MainActor
struct RuleAtCommitTests {
    /// Returns a stack with Ann and Bob, and a transaction that has deleted Ann.
    private func make(
        _ backend: TestBackend
    ) throws -> (test: TestStack, ann: Person, bob: Person, transaction: UnsafeDataTransaction) {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            for name in ["Ann", "Bob"] { transaction.create(Into<Person>()).name = name }
        })
        let people = try test.stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
        let transaction = test.stack.beginUnsafe()
        transaction.delete(people[0])
        return (test, people[0], people[1], transaction)
    }

    /// Creates an object that is related to Ann, in another transaction.
    private func relate<O: CoreStoreObject>(
        _ ann: Person, in test: TestStack, _ body: @escaping (_ new: O, _ ann: Person) -> Void
    ) throws -> O {
        let new = try test.stack.perform(synchronous: { transaction in
            let new = transaction.create(Into<O>())
            body(new, try #require(transaction.edit(ann)))
            return new
        })
        return try #require(test.stack.fetchExisting(new))
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `deleting an object ends a one-to-one relationship that another transaction added`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, bob, transaction) = try make(backend)
        try test.stack.perform(synchronous: { $0.edit(bob)?.spouse = $0.edit(ann) })
        #expect(bob.spouse === ann)
        try transaction.commitAndWait()
        #expect(bob.spouse == nil)
        #expect(try test.stack.fetchCount(From<Person>().where(\.$spouse != nil)) == 0)
        #expect(try test.stack.fetchCount(From<Person>().where(\.$spouse == nil)) == 1)
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `deleting an object removes many-to-many links that another transaction added`(_ backend: TestBackend) throws {
        let (test, ann, bob, transaction) = try make(backend)
        let club: Club = try relate(ann, in: test) { $0.members = [$1] }
        try test.stack.perform(synchronous: { $0.edit(club)?.members.append(try #require($0.edit(bob))) })
        #expect(club.members == [ann, bob])
        try transaction.commitAndWait()
        #expect(club.members == [bob])
        #expect(bob.clubs == [club])
        #expect(try test.stack.fetchCount(From<Club>().where((\Club.$members).count() == 1)) == 1)
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `a cascade deletes objects that another transaction has related to the deleted object`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, _, transaction) = try make(backend)
        let pet: Pet = try relate(ann, in: test) { $0.owner = $1 }
        let passport: Passport = try relate(ann, in: test) { $0.holder = $1 }
        let paper: Paper = try relate(ann, in: test) { $0.authors = [$1] }
        try transaction.commitAndWait()
        #expect(pet.isDeleted)
        #expect(passport.isDeleted)
        #expect(paper.isDeleted)
        #expect(try test.stack.fetchCount(From<Pet>()) == 0)
        #expect(try test.stack.fetchCount(From<Passport>()) == 0)
        #expect(try test.stack.fetchCount(From<Paper>()) == 0)
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `a cascade on commit continues through relationships that another transaction added`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, _, _) = try make(backend)
        let pet: Pet = try relate(ann, in: test) { pet, _ in pet.name = "Rex" }
        let transaction = test.stack.beginUnsafe()
        // The transaction knows that the pet has no toys. It does not know that the pet will belong to Ann.
        #expect(try #require(transaction.edit(pet)).toys.isEmpty)
        transaction.delete(ann)
        let toy = try test.stack.perform(synchronous: { transaction in
            let toy = transaction.create(Into<Toy>())
            toy.pet = transaction.edit(pet)
            toy.pet?.owner = transaction.edit(ann)
            return toy
        })
        let live = try #require(test.stack.fetchExisting(toy))
        try transaction.commitAndWait()
        #expect(pet.isDeleted)
        #expect(live.isDeleted)
        #expect(try test.stack.fetchCount(From<Toy>()) == 0)
    }

    @Test(.pins("TX-46", "FLD-44"), arguments: TestBackend.allCases)
    func `a deletion is refused because of a relationship that another transaction added`(_ backend: TestBackend) throws
    {
        for isDesk in [true, false] {
            let (test, ann, _, transaction) = try make(backend)
            if isDesk {
                let _: Desk = try relate(ann, in: test) { $0.user = $1 }
            } else {
                let _: Court = try relate(ann, in: test) { $0.judges = [$1] }
            }
            let error = #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
            #expect(error?.description.contains(isDesk ? "desk" : "courts") == true)
            #expect(!ann.isDeleted)
            #expect(try test.stack.fetchCount(From<Person>()) == 2)
        }
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a refresh drops pending references to deleted rows and logs a warning`(_ backend: TestBackend) throws {
        let (test, ann, bob, _) = try make(backend)
        let transaction = test.stack.beginUnsafe()
        let own = try #require(transaction.edit(bob))
        own.boss = transaction.edit(ann)
        let pet = transaction.create(Into<Pet>())
        pet.owner = transaction.edit(ann)
        try test.stack.perform(synchronous: { $0.delete(ann) })
        let recording = RecordingLogger.record("which another transaction has deleted. The reference") {
            transaction.refreshAndMergeAllObjects()
        }
        #expect(recording.messages(.warning).count == 2)
        #expect(own.boss == nil)
        #expect(pet.owner == nil)
        try transaction.commitAndWait()
        #expect(try test.stack.fetchCount(From<Person>().where(\.$boss != nil)) == 0)
        #expect(try test.stack.fetchCount(From<Pet>().where(\.$owner == nil)) == 1)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `after a refresh, delete rules apply to relationships that another transaction added`(
        _ backend: TestBackend
    ) throws {
        let (test, ann, bob, transaction) = try make(backend)
        try test.stack.perform(synchronous: { $0.edit(bob)?.boss = $0.edit(ann) })
        transaction.refreshAndMergeAllObjects()
        try transaction.commitAndWait()
        #expect(bob.boss == nil)
        #expect(try test.stack.fetchCount(From<Person>().where(\.$boss == nil)) == 1)
    }
}
