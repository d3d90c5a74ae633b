import Coffer
import Foundation
import TestSupport
import Testing

/// Comparisons of fields with values.
@MainActor
struct ClausesComparingTests {
    private typealias Pet = Town.Pet
    private typealias Person = Town.Person

    @Test(.pins("CLS-40"), arguments: TestBackend.allCases)
    func `fields are compared with values`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>(\.$age == 3)) == "Ada")
        #expect(try test.names(Where<Pet>(\.$age < 5)) == "Ada Di")
        #expect(try test.names(Where<Pet>(\.$age <= 5)) == "Ada Bo Di")
        #expect(try test.names(Where<Pet>(\.$age > 5)) == "Cy")
        #expect(try test.names(Where<Pet>(\.$age >= 5)) == "Bo Cy")
        #expect(try test.names(Where<Pet>(\.$weight > 3.25)) == "Bo Cy Di")
        #expect(try test.names(Where<Pet>(\.$name > "Bo")) == "Cy Di Eve")
        #expect(try test.names(Where<Pet>(\.$price == (Decimal(string: "0.2") ?? 0))) == "Bo")
        #expect(try test.names(Where<Pet>(\.$price > (Decimal(string: "0.15") ?? 0))) == "Bo Cy")
        #expect(try test.names(Where<Pet>(\.$born == nil)) == "Ada Bo Cy Di Eve")
    }

    @Test(.pins("CLS-41"), arguments: TestBackend.allCases)
    func `a sequence matches a field that has one of its values`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>([1, 3, nil] ~= \.$age)) == "Ada Di")
        #expect(try test.names(Where<Pet>(Set(["cat"]) ~= \.$species)) == "Ada Bo")
        #expect(try test.names(Where<Pet>(stride(from: 1, to: 6, by: 2).map { Int?($0) } ~= \.$age)) == "Ada Bo Di")
        #expect(try test.names(Where<Pet>([] ~= \.$age)) == "")
    }

    @Test(.pins("CLS-42"), arguments: TestBackend.allCases)
    func `an inequality condition matches null`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>(\.$age != 3)) == "Bo Cy Di Eve")
        #expect(try test.names(Where<Pet>(\.$species != "cat")) == "Cy Di Eve")
        #expect(try test.names(Where<Pet>(\.$age != nil)) == "Ada Bo Cy Di")
        #expect(try test.names(!Where<Pet>(\.$age == 3)) == "Bo Cy Di Eve")
        #expect(try test.names(!Where<Pet>(\.$age != 3)) == "Ada")
    }

    @Test(.pins("CLS-43"), arguments: TestBackend.allCases)
    func `less and greater comparisons with nil match no objects`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>(\.$age < nil)) == "")
        #expect(try test.names(Where<Pet>(\.$age > nil)) == "")
        #expect(try test.names(Where<Pet>(\.$age <= nil)) == "")
        #expect(try test.names(Where<Pet>(\.$age >= nil)) == "")
        #expect(try test.names(!Where<Pet>(\.$age < nil)) == "Ada Bo Cy Di Eve")
    }

    @Test(.pins("CLS-44"), arguments: TestBackend.allCases)
    func `to-one relationships are compared with objects`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let masters = try test.stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
        #expect(try test.names(Where<Pet>(\.$master == masters[0])) == "Ada Bo Cy")
        #expect(try test.names(Where<Pet>(\.$master != masters[0])) == "Di Eve")
        #expect(try test.names(Where<Pet>(\.$master == masters[2])) == "")
        #expect(try test.names(Where<Pet>(\.$master == Person?.none)) == "Eve")
        #expect(try test.names(Where<Pet>(\.$master != Person?.none)) == "Ada Bo Cy Di")
        #expect(try test.names(Where<Pet>([masters[1], masters[2]] ~= \.$master)) == "Di")
        #expect(try test.stack.fetchOne(From<Person>().where(\.$spouseOf == masters[0])) === masters[1])
        #expect(try test.stack.fetchCount(From<Person>().where(\.$spouse != nil)) == 1)
    }

    @Test(.pins("CLS-45"), arguments: TestBackend.allCases)
    func `a condition in a closure compares fields with all comparison operators`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet> { $0.$age < 5 }) == "Ada Di")
        #expect(try test.names(Where<Pet> { $0.$age >= 5 && $0.$species != "dog" }) == "Bo")
        #expect(try test.names(Where<Pet> { [3, 10] ~= $0.$age }) == "Ada Cy")
        #expect(try test.names(Where<Pet> { $0.$age <= 3 || $0.$age > 9 }) == "Ada Cy Di")
        #expect(try test.names(Where<Pet> { $0.$age == nil }) == "Eve")
    }

    @Test(.pins("CLS-40"), arguments: TestBackend.allCases)
    func `a value of another type is refused, and the error names the property`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.fetchAll(From<Pet>(), Where<Pet>("age", isEqualTo: "three"))
        }
        #expect(error?.storageError?.code == .invalidRequest)
        let text = "'Pet.age == …' compares an integer with a string. Use a value of the property's type."
        #expect(error?.storageError?.message == text)
    }
}
