import Coffer
import Foundation
import TestSupport
import Testing

/// Every shape of relationship, set from either side, before and after saving.
@MainActor
struct RelationshipTests {
    private class Pet: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("owner") var owner: Owner?
        @Field.Relationship("walkers", inverse: \.$walks) var walkers: [Owner]
    }

    private final class Cat: Pet {
        @Field.Stored("lives") var lives: Int = 9
    }

    private final class Owner: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("pets", inverse: \.$owner) var pets: Set<Pet>
        @Field.Relationship("walks") var walks: Set<Pet>
        @Field.Relationship("spouse", inverse: \.$spouseOf) var spouse: Owner?
        @Field.Relationship("spouseOf") private var spouseOf: Owner?
        @Field.Relationship("friends", inverse: \.$friendOf) var friends: Set<Owner>
        @Field.Relationship("friendOf") var friendOf: Set<Owner>
        @Field.Relationship("parent") var parent: Owner?
        @Field.Relationship("children", inverse: \.$parent) var children: [Owner]
        @Field.Relationship("likes", inverse: \.$likedBy) var likes: [Owner]
        @Field.Relationship("likedBy") var likedBy: [Owner]
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Pet>("Pet"), Entity<Cat>("Cat"), Entity<Owner>("Owner")]
    )

    private func owner(_ name: String, _ transaction: BaseDataTransaction) -> Owner {
        let owner = transaction.create(Into<Owner>())
        owner.name = name
        return owner
    }

    private func pet(_ name: String, _ transaction: BaseDataTransaction) -> Pet {
        let pet = transaction.create(Into<Pet>())
        pet.name = name
        return pet
    }

    private func owner(_ name: String, in stack: DataStack) throws -> Owner {
        try #require(try stack.fetchOne(From<Owner>().where(\.$name == name)))
    }

    @Test(.pins("FLD-40"), arguments: TestBackend.allCases)
    func `relationships of a new object are nil or empty`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let ann = owner("Ann", transaction)
            #expect(ann.pets.isEmpty)
            #expect(ann.spouse == nil)
            #expect(ann.children == [])
            #expect(ann.likes == [])
            #expect(pet("Rex", transaction).owner == nil)
        })
        let ann = try owner("Ann", in: test.stack)
        #expect(ann.pets.isEmpty && ann.walks.isEmpty && ann.friends.isEmpty)
        #expect(ann.spouse == nil && ann.parent == nil)
        #expect(ann.children.isEmpty && ann.likes.isEmpty)
    }

    @Test(.pins("FLD-42"), arguments: TestBackend.allCases)
    func `both sides of a one-to-many relationship change at once`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let (ann, bob) = (owner("Ann", transaction), owner("Bob", transaction))
            let (rex, tom) = (pet("Rex", transaction), transaction.create(Into<Cat>()))
            ann.pets.insert(rex)
            #expect(rex.owner === ann)
            tom.owner = ann
            #expect(ann.pets == [rex, tom])
            rex.owner = bob
            #expect(ann.pets == [tom])
            #expect(bob.pets == [rex])
            bob.pets = [rex, tom]
            #expect(ann.pets == [])
            #expect(tom.owner === bob)
            bob.pets.remove(rex)
            #expect(rex.owner == nil)
            rex.owner = ann
        })
        let (ann, bob) = (try owner("Ann", in: test.stack), try owner("Bob", in: test.stack))
        #expect(ann.pets.map(\.name) == ["Rex"])
        #expect(bob.pets.first is Cat && bob.pets.count == 1)
        #expect(bob.pets.first?.owner === bob)
        // The objects are saved, and the transaction has read neither side before.
        try test.stack.perform(synchronous: { transaction in
            let rex = try #require(try transaction.fetchOne(From<Pet>().where(\.$name == "Rex")))
            rex.owner = try transaction.fetchOne(From<Owner>().where(\.$name == "Bob"))
            let ann = try #require(try transaction.fetchOne(From<Owner>().where(\.$name == "Ann")))
            #expect(ann.pets.isEmpty)
            #expect(rex.owner?.pets.count == 2)
        })
        #expect(ann.pets.isEmpty)
        #expect(bob.pets.count == 2)
        #expect(bob.pets.allSatisfy { $0.owner === bob })
    }

    @Test(.pins("FLD-42"), arguments: TestBackend.allCases)
    func `both sides of a one-to-one relationship change at once`(_ backend: TestBackend) throws {
        class Husband: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Relationship("wife", inverse: \.$husband) var wife: Wife?
        }
        class Wife: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Relationship("husband") var husband: Husband?
        }
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Husband>("Husband"), Entity<Wife>("Wife")])
        )
        try test.stack.perform(synchronous: { transaction in
            let men = ["a", "b"].map { name in
                let man = transaction.create(Into<Husband>())
                man.name = name
                return man
            }
            let women = ["x", "y"].map { name in
                let woman = transaction.create(Into<Wife>())
                woman.name = name
                return woman
            }
            men[0].wife = women[0]
            women[1].husband = men[1]
            #expect(women[0].husband === men[0])
            #expect(men[1].wife === women[1])
        })
        // Both couples part, and neither side of the relationship is outdated.
        try test.stack.perform(synchronous: { transaction in
            let a = try #require(try transaction.fetchOne(From<Husband>().where(\.$name == "a")))
            a.wife = try transaction.fetchOne(From<Wife>().where(\.$name == "y"))
        })
        let men = try test.stack.fetchAll(From<Husband>().orderBy(.ascending(\.$name)))
        let women = try test.stack.fetchAll(From<Wife>().orderBy(.ascending(\.$name)))
        #expect(men.map { $0.wife?.name } == ["y", nil])
        #expect(women.map { $0.husband?.name } == [nil, "a"])
        #expect(try test.stack.fetchCount(From<Wife>().where(\.$husband == nil)) == 1)
        #expect(try test.stack.fetchCount(From<Husband>().where(\.$wife == women[1])) == 1)
        try test.stack.perform(synchronous: { try #require($0.edit(women[1])).husband = nil })
        #expect(men[0].wife == nil)
    }

    @Test(.pins("FLD-42"), arguments: TestBackend.allCases)
    func `both sides of a many-to-many relationship change at once`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let (ann, bob) = (owner("Ann", transaction), owner("Bob", transaction))
            let (rex, ada) = (pet("Rex", transaction), pet("Ada", transaction))
            rex.walkers = [bob, ann]
            ann.walks.insert(ada)
            #expect(ann.walks == [rex, ada])
            #expect(ada.walkers == [ann])
            ada.walkers.append(bob)
            #expect(bob.walks == [rex, ada])
            ann.walks.remove(rex)
            #expect(rex.walkers == [bob])
            rex.walkers.append(ann)
        })
        let rex = try #require(try test.stack.fetchOne(From<Pet>().where(\.$name == "Rex")))
        let ada = try #require(try test.stack.fetchOne(From<Pet>().where(\.$name == "Ada")))
        #expect(rex.walkers.map(\.name) == ["Bob", "Ann"])
        #expect(ada.walkers.map(\.name) == ["Ann", "Bob"])
        #expect(rex.walkers[0].walks == [rex, ada])
        try test.stack.perform(synchronous: { transaction in
            let ann = try #require(try transaction.fetchOne(From<Owner>().where(\.$name == "Ann")))
            ann.walks = []
        })
        #expect(rex.walkers.map(\.name) == ["Bob"])
        #expect(ada.walkers.map(\.name) == ["Bob"])
        #expect(try owner("Ann", in: test.stack).walks.isEmpty)
    }

    @Test(.pins("FLD-42"), arguments: TestBackend.allCases)
    func `a relationship of a class with itself has two sides`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let (ann, bob, cyd) = (owner("Ann", transaction), owner("Bob", transaction), owner("Cyd", transaction))
            ann.spouse = bob
            bob.spouse = ann
            ann.friends = [ann, bob]
            #expect(ann.friendOf == [ann])
            #expect(bob.friendOf == [ann])
            bob.friendOf.insert(cyd)
            #expect(cyd.friends == [bob])
            ann.parent = ann
            #expect(ann.children == [ann])
            cyd.spouse = bob
            #expect(ann.spouse == nil)
        })
        let (ann, bob, cyd) = (
            try owner("Ann", in: test.stack), try owner("Bob", in: test.stack), try owner("Cyd", in: test.stack)
        )
        #expect(ann.spouse == nil)
        #expect(bob.spouse === ann)
        #expect(cyd.spouse === bob)
        #expect(ann.friends == [ann, bob])
        #expect(bob.friendOf == [ann, cyd])
        #expect(ann.children == [ann])
        try test.stack.perform(synchronous: { $0.delete(ann) })
        #expect(bob.friendOf == [cyd])
        #expect(bob.spouse == nil)
        #expect(ann.name == "Ann")
    }
}
