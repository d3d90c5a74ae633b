import Coffer
import Foundation
import TestSupport
import Testing

/// The objects that match a condition in a data stack.
@MainActor
struct ClausesWhereTests {
    private typealias Pet = Town.Pet
    private typealias Dog = Town.Dog
    private typealias Person = Town.Person

    @Test(.pins("CLS-20"), arguments: TestBackend.allCases)
    func `constant conditions match all objects or no objects`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>()) == "Ada Bo Cy Di Eve")
        #expect(try test.names(Where<Pet>(true)) == "Ada Bo Cy Di Eve")
        #expect(try test.names(Where<Pet>(false)) == "")
        #expect(try test.names(!Where<Pet>(true)) == "")
    }

    @Test(.pins("CLS-21"), arguments: TestBackend.allCases)
    func `and, or and not combine conditions`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let cat: Where<Pet> = \.$species == "cat"
        let old: Where<Pet> = \.$age > 4
        #expect(try test.names(cat && old) == "Bo")
        #expect(try test.names(cat || old) == "Ada Bo Cy")
        #expect(try test.names(!cat) == "Cy Di Eve")
        #expect(try test.names(!old) == "Ada Di Eve")
        #expect(try test.names(!(cat && old)) == "Ada Cy Di Eve")
        #expect(try test.names(!(cat || old)) == "Di Eve")
        #expect(try test.names(!(!cat)) == "Ada Bo")
    }

    @Test(.pins("CLS-22"), arguments: TestBackend.allCases)
    func `optional conditions that are nil are ignored`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let cat: Where<Pet> = \.$species == "cat"
        let none: Where<Pet>? = nil
        #expect(try test.names(cat &&? none) == "Ada Bo")
        #expect(try test.names(none ||? cat) == "Ada Bo")
        #expect(try test.names(cat &&? Where<Pet>?.some(\.$age == 5)) == "Bo")
        #expect(try test.names(Where<Pet>?.some(\.$age == 10) ||? cat) == "Ada Bo Cy")
    }

    @Test(.pins("CLS-23"), arguments: TestBackend.allCases)
    func `combinedByAnd and combinedByOr combine a list of conditions`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let clauses: [Where<Pet>] = [\.$species == "cat", \.$age > 4]
        #expect(try test.names(clauses.combinedByAnd()) == "Bo")
        #expect(try test.names(clauses.combinedByOr()) == "Ada Bo Cy")
        #expect(try test.names([Where<Pet>]().combinedByAnd()) == "Ada Bo Cy Di Eve")
        #expect(try test.names([Where<Pet>]().combinedByOr()) == "")
        let many = (0..<300).map { Where<Pet>(\.$age == $0) }
        #expect(try test.names(many.combinedByOr()) == "Ada Bo Cy Di")
    }

    @Test(.pins("CLS-24"), arguments: TestBackend.allCases)
    func `every spelling of nil matches null`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>("age", isEqualTo: nil)) == "Eve")
        #expect(try test.names(Where<Pet>("age", isEqualTo: Int?.none)) == "Eve")
        #expect(try test.names(Where<Pet>("age", isEqualTo: NSNull())) == "Eve")
        #expect(try test.names(Where<Pet>(\.$age, isEqualTo: nil)) == "Eve")
        #expect(try test.names(Where<Pet>(\.$age == nil)) == "Eve")
        #expect(try test.names(Where<Pet>(\.$master == nil)) == "Eve")
        #expect(try test.names(Where<Pet>("name", isEqualTo: nil)) == "")
    }

    @Test(.pins("CLS-25"), arguments: TestBackend.allCases)
    func `isMemberOf matches the listed values and never matches null`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>("age", isMemberOf: [1, 5, 99])) == "Bo Di")
        #expect(try test.names(Where<Pet>(\.$species, isMemberOf: ["dog"])) == "Cy Di")
        #expect(try test.names(Where<Pet>("age", isMemberOf: [Int]())) == "")
        #expect(try test.names(Where<Pet>("age", isMemberOf: [nil, 3] as [Int?])) == "Ada")
        #expect(try test.names(!Where<Pet>("age", isMemberOf: [1, 3])) == "Bo Cy Eve")
        #expect(try test.names(Where<Pet>("name", isMemberOf: (0..<2000).map { "n\($0)" } + ["Di"])) == "Di")
    }

    @Test(.pins("CLS-26"), arguments: TestBackend.allCases)
    func `conditions accept objects and ids of the stack, of transactions and of other stores`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filledWithPets(backend)
        let ann = try #require(try test.stack.fetchOne(From<Person>().where(\.$name == "Ann")))
        let ben = try #require(try test.stack.fetchOne(From<Person>().where(\.$name == "Ben")))
        #expect(try test.names(Where<Pet>("master", isEqualTo: ann)) == "Ada Bo Cy")
        #expect(try test.names(Where<Pet>("master", isEqualTo: ben.objectID())) == "Di")
        #expect(try test.names(Where<Pet>("master", isMemberOf: [ann, ben])) == "Ada Bo Cy Di")
        #expect(try test.names(Where<Pet>("master", isMemberOf: [ben.objectID()])) == "Di")
        #expect(try test.names(Where<Pet>(\.$master, isEqualTo: ben)) == "Di")
        #expect(try test.names(Where<Pet>(\.$master, isMemberOf: [ben])) == "Di")
        #expect(try test.names(Where<Pet>(\.$master, isMemberOf: [Person]())) == "")
        // A saved object of a transaction, and an object of another store, which is the master of no pet here.
        let inside = try #require(test.stack.beginUnsafe().edit(ann))
        #expect(try test.names(Where<Pet>(\.$master == inside)) == "Ada Bo Cy")
        let other = try Town.filledWithPets(backend)
        let stranger = try #require(try other.stack.fetchOne(From<Person>().where(\.$name == "Ann")))
        #expect(try test.names(Where<Pet>(\.$master == stranger)) == "")
        #expect(try test.names(Where<Pet>(\.$master != stranger)) == "Ada Bo Cy Di Eve")
        #expect(try test.names(Where<Pet>("master", isMemberOf: [stranger, ben])) == "Di")
    }

    @Test(.pins("CLS-26"), arguments: TestBackend.allCases)
    func `a condition compares with a pending object, also after its transaction saved the object`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filledWithPets(backend)
        let kept = try test.stack.perform(synchronous: { transaction in
            let dan = transaction.create(Into<Person>())
            dan.name = "Dan"
            try transaction.fetchOne(From<Pet>().where(\.$name == "Eve"))?.master = dan
            let clauses: [Where<Pet>] = [
                \.$master == dan, Where("master", isEqualTo: dan.objectID()), Where("master", isMemberOf: [dan]),
            ]
            for clause in clauses {
                let found = try transaction.fetchAll(From<Pet>().where(clause)).map(\.name)
                #expect(found == ["Eve"])
            }
            let others = try transaction.fetchCount(From<Pet>().where(\.$master != dan))
            #expect(others == 4)
            return dan
        })
        #expect(try test.names(Where<Pet>(\.$master == kept)) == "Eve")
        #expect(try test.names(Where<Pet>("master", isMemberOf: [kept])) == "Eve")
        #expect(try test.names(Where<Pet>(\.$master != kept)) == "Ada Bo Cy Di")
    }

    @Test(.pins("CLS-29"), arguments: TestBackend.allCases)
    func `equal conditions find the same objects`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let clauses: [Where<Pet>] = [\.$age == 10, Where("age", isEqualTo: 10), Where { $0.$age == 10 }]
        #expect(Set(clauses).count == 1)
        for clause in clauses { #expect(try test.names(clause) == "Cy") }
    }

    @Test(.pins("CLS-30"), arguments: TestBackend.allCases)
    func `conditions of a superclass and a subclass can be combined`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let animal: Where<Pet> = \.$species == "dog"
        let dog: Where<Dog> = \.$tricks == 4
        #expect(
            try test.stack.fetchAll(From<Dog>().where(\Dog.$tricks == 4 && \Pet.$species == "dog")).map(\.name) == [
                "Cy"
            ])
        #expect(try test.stack.fetchAll(From<Dog>().where(dog && animal)).map(\.name) == ["Cy"])
        #expect(try test.stack.fetchAll(From<Dog>().where { $0.$age == 1 || $0.$tricks == 4 }).count == 2)
        // The superclass does not have the field of a subclass.
        #expect(throws: CoreStoreError.self) { try test.stack.fetchAll(From<Pet>().where(animal && dog)) }
    }

    @Test(.pins("CLS-31"), arguments: TestBackend.allCases)
    func `a closure with the fields of an object can define a condition`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>({ $0.$age > 3 && $0.$age <= 10 })) == "Bo Cy")
        #expect(try test.stack.fetchAll(From<Dog>().where { $0.$age > 3 }).map(\.name) == ["Cy"])
    }
}
