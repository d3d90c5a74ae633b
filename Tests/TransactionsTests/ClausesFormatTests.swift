import Coffer
import Foundation
import TestSupport
import Testing

/// The objects that format strings find in a data stack.
@MainActor
struct ClausesFormatTests {
    private typealias Pet = Town.Pet
    private typealias Dog = Town.Dog
    private typealias Person = Town.Person

    struct Search: CustomTestStringConvertible {
        let format: String
        let arguments: [any Sendable]
        let found: String

        init(_ format: String, _ arguments: any Sendable..., finds found: String) {
            self.format = format
            self.arguments = arguments
            self.found = found
        }

        var testDescription: String { format }
    }

    private func check(_ search: Search, _ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>(search.format, argumentArray: search.arguments)) == search.found)
        let opposite = try test.names(Where<Pet>("NOT (\(search.format))", argumentArray: search.arguments))
        let all = Set(["Ada", "Bo", "Cy", "Di", "Eve"])
        let found = Set(search.found.split(separator: " ").map(String.init))
        #expect(opposite == all.subtracting(found).sorted().joined(separator: " "))
    }

    @Test(
        .pins("CLS-27"),
        arguments: [
            Search("age > 3", finds: "Bo Cy"), Search("%K == %d", "age", 5, finds: "Bo"),
            Search("age == nil OR species == 'dog' AND age < 2", finds: "Di Eve"),
            Search("age IN %@", [1, 3], finds: "Ada Di"),
            Search("age IN {1, 2 + 3, weight * 0 + 10}", finds: "Bo Cy Di"),
            Search("3 <= age && age != 10", finds: "Ada Bo"), Search("age BETWEEN {3, 5}", finds: "Ada Bo"),
            Search("age BETWEEN %@", [4, 10], finds: "Bo Cy"), Search("age BETWEEN {weight, 5.5}", finds: "Ada Bo"),
            Search("TRUEPREDICATE", finds: "Ada Bo Cy Di Eve"), Search("species IN {nil, 'cat'}", finds: "Ada Bo"),
            Search("price == %@", Decimal(string: "0.1"), finds: "Ada"), Search("born < now()", finds: ""),
            Search("species == NULL", finds: "Eve"), Search("name == %s", "Bo", finds: "Bo"),
        ], TestBackend.allCases)
    func `comparisons in a condition string find the expected objects`(_ search: Search, _ backend: TestBackend) throws
    {
        try check(search, backend)
    }

    @Test(
        .pins("CLS-27"),
        arguments: [
            Search("name BEGINSWITH 'A'", finds: "Ada"), Search("name BEGINSWITH[c] 'c'", finds: "Cy"),
            Search("name BEGINSWITH 'a'", finds: ""), Search("name BEGINSWITH ''", finds: ""),
            Search("name ENDSWITH 'a'", finds: "Ada"), Search("name ENDSWITH[c] 'O'", finds: "Bo"),
            Search("name CONTAINS 'd'", finds: "Ada"), Search("name CONTAINS[cd] 'Ì'", finds: "Di"),
            Search("species CONTAINS 'a'", finds: "Ada Bo"), Search("'d' IN name", finds: "Ada"),
            Search("name IN 'AdaBo'", finds: "Ada Bo"), Search("name LIKE '?v*'", finds: "Eve"),
            Search("name LIKE[c] '*D*'", finds: "Ada Di"), Search("name LIKE '*'", finds: "Ada Bo Cy Di Eve"),
            Search("name MATCHES '[A-C].*'", finds: "Ada Bo Cy"), Search("name MATCHES[c] '(a|ad|ada)'", finds: "Ada"),
            Search("name ==[c] 'ADA'", finds: "Ada"), Search("name !=[c] 'ADA'", finds: "Bo Cy Di Eve"),
            Search("species !=[c] 'CAT'", finds: "Cy Di Eve"), Search("name <[c] 'C'", finds: "Ada Bo"),
            Search("name IN[c] {'ADA', 'eve', nil}", finds: "Ada Eve"), Search("name ==[n] 'Ada'", finds: "Ada"),
            Search("species ==[c] species", finds: "Ada Bo Cy Di Eve"), Search("name LIKE nil", finds: ""),
            Search("'Adam' BEGINSWITH name", finds: "Ada"), Search("uppercase:(name) == 'BO'", finds: "Bo"),
            Search("length:(name) == 2", finds: "Bo Cy Di"),
            Search("canonical:(species) BEGINSWITH 'do'", finds: "Cy Di"),
        ], TestBackend.allCases)
    func `string operators in a condition string find the expected objects`(
        _ search: Search, _ backend: TestBackend
    ) throws {
        try check(search, backend)
    }

    @Test(
        .pins("CLS-27"),
        arguments: [
            Search("age + 1 > 4 AND age * 2 < 20", finds: "Bo"), Search("age / 2 == 2", finds: "Bo"),
            Search("age / 2.0 == 2.5", finds: "Bo"), Search("-age < -3", finds: "Bo Cy"),
            Search("age / 0 == nil", finds: "Ada Bo Cy Di Eve"), Search("age ** 2 == 25", finds: "Bo"),
            Search("weight + age == 5.5", finds: "Ada"),
            Search("price * 2 == %@", Decimal(string: "0.2"), finds: "Ada"),
            Search("price + price > price", finds: "Ada Bo Cy"), Search("price / 2 == 50", finds: "Cy"),
            Search("modulus:by:(age, 2) == 1 AND abs:(age - 4) == 1", finds: "Ada Bo"),
            Search("age & 1 == 1 AND age | 4 == 5", finds: "Bo Di"), Search("floor:(weight) == 3", finds: "Bo"),
            Search("sqrt:(age) > 2 AND 2 << age > 64", finds: "Cy"),
            Search("age + 9223372036854775807 > 9223372036854775807", finds: "Ada Bo Cy Di"),
            Search("TERNARY(age > 4, 'old', 'young') == 'old'", finds: "Bo Cy"),
            Search("TERNARY(age > 4, age, nil) == 5", finds: "Bo"),
        ], TestBackend.allCases)
    func `arithmetic in a condition string finds the expected objects`(_ search: Search, _ backend: TestBackend) throws
    {
        try check(search, backend)
    }

    @Test(
        .pins("CLS-51"),
        arguments: [
            Search("master.name == 'Ann' AND master.spouse.name ==[c] 'BEN'", finds: "Ada Bo Cy"),
            Search("master.pets.@count > 1 AND friends.@count == 0", finds: "Bo"),
            Search("ANY friends.name == 'Cy' OR ANY friends.age < 2", finds: "Ada Cy"),
            Search("ALL friends.age > 3", finds: "Ada Bo Di Eve"),
            Search("NONE friends.name LIKE 'D*'", finds: "Ada Bo Di Eve"),
            Search("ANY friends.age BETWEEN {2, 6}", finds: "Ada"),
            Search("SOME friends.age IN {1, 10}", finds: "Ada Cy"),
            Search("ANY friends.age > age", finds: "Ada"), Search("ANY friends.weight + age > 20", finds: "Ada"),
            Search("friends.name CONTAINS 'Di'", finds: "Cy"),
            Search("name IN master.pets.name", finds: "Ada Bo Cy Di"),
            Search("friends.@sum.age == 15 OR friends.@max.age == 1", finds: "Ada Cy"),
            Search("@avg.friends.age > 1 AND friends.@min.age == 5", finds: "Ada"),
            Search("max:(friends.age) == 10", finds: "Ada"), Search("friends.@sum.price == 100.2", finds: "Ada"),
            Search("friends.@min.name == 'Bo'", finds: "Ada"), Search("friends.@sum.age == 0", finds: "Bo Di Eve"),
            Search("friends.@avg.age == nil", finds: "Bo Di Eve"),
            Search("master.pets.@sum.age == 18", finds: "Ada Bo Cy"),
        ], TestBackend.allCases)
    func `relationships in a condition string find the expected objects`(
        _ search: Search, _ backend: TestBackend
    ) throws {
        try check(search, backend)
    }

    @Test(
        .pins("CLS-27"),
        arguments: [
            Search("SUBQUERY(friends, $f, $f.age > 3 AND $f.name != 'Bo').@count == 1", finds: "Ada"),
            Search("SUBQUERY(friends, $f, $f.age < age).@count == 1", finds: "Cy"),
            Search("SUBQUERY(master.pets, $p, $p.age > 3).@count == 2", finds: "Ada Bo Cy"),
            Search("SUBQUERY(master.pets, $p, $p != SELF AND $p.species == species)[SIZE] == 1", finds: "Ada Bo"),
            Search("SUBQUERY(friends, $f, ANY $f.friends.name == 'Di').@count > 0", finds: "Ada"),
            Search(
                "SUBQUERY(friends, $f, SUBQUERY($f.friends, $g, $g.age < $f.age AND $g.age < age).@count > 0).@count > 0",
                finds: "Ada"),
            Search("SUBQUERY(friends, $f, $f.name BEGINSWITH[c] 'b').@sum.age == 5", finds: "Ada"),
            Search("count:(SUBQUERY(friends, $f, TRUEPREDICATE)) == 2", finds: "Ada"),
            Search("SUBQUERY(master.pets, $p, TRUEPREDICATE).@count == nil", finds: "Eve"),
        ], TestBackend.allCases)
    func `subqueries in a condition string find the expected objects`(_ search: Search, _ backend: TestBackend) throws {
        try check(search, backend)
    }

    @Test(.pins("CLS-28"), arguments: TestBackend.allCases)
    func `a condition string accepts objects and ids as arguments`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let ann = try #require(try test.stack.fetchOne(From<Person>().where(format: "name == %@", "Ann")))
        let bo = try #require(try test.stack.fetchOne(From<Pet>().where(format: "name == %@", argumentArray: ["Bo"])))
        #expect(try test.names(Where<Pet>("master == %@", ann)) == "Ada Bo Cy")
        #expect(try test.names(Where<Pet>("master IN %@", [ann.objectID()])) == "Ada Bo Cy")
        #expect(try test.names(Where<Pet>("friends CONTAINS %@", bo)) == "Ada")
        #expect(try test.names(Where<Pet>("%@ IN friends", bo)) == "Ada")
        #expect(try test.names(Where<Pet>("SELF == %@ OR SELF IN %@", bo, [bo])) == "Bo")
        #expect(try test.stack.fetchAll(From<Person>().where(format: "ANY pets == %@", bo)).map(\.name) == ["Ann"])
        #expect(
            try test.stack.queryValue(From<Pet>().select(Int.self, .sum(\.$age)).where(format: "age > %d", 4)) == 15)
    }

    @Test(
        .pins("CLS-27"),
        arguments: [
            ("age >", "The format string 'age >' is wrong at column 6: expected a value, found the end."),
            ("agee > 3", "'Pet' has no property 'agee'. Did you mean 'age'?"),
            ("age == 'x'", "'Pet.age == …' compares an integer with a string. Use a value of the property's type."),
            ("age LIKE 'x'", "'LIKE' needs strings; 'Pet.age' is an integer."),
            ("name + 1 == 2", "'add' needs numbers, but 'Pet.name' is a string."),
            ("weight & 1 == 2", "'bitwiseAnd' needs integers, but 'Pet.weight' is a double."),
            ("name MATCHES '('", "The right side of MATCHES is not a regular expression."),
            ("name MATCHES species", "'name MATCHES species' needs a constant on its right side."),
            (
                "name ==[l] 'x'",
                "The options of '==[l]' depend on a language, which stores do not support. Use [c], [d] or [n]."
            ),
            ("age BETWEEN {1, 2, 3}", "'age BETWEEN {1, 2, 3}' needs a list of two values on its right side."),
            ("friends.@sum.name == 1", "'Pet.name' is not a number and has no sum."),
            ("friends[FIRST] == nil", "A member of a collection by its position is not supported by stores."),
            ("friends.@allKeys == 1", "'@allKeys' is not supported by stores."),
            ("age == $x", "'$x' has no value."),
            ("name UTI-EQUALS 'x'", "'UTI-EQUALS' is not supported by stores."),
            ("FUNCTION(name, 'x') == 1", "Stores do not support the method 'x'."),
            ("CAST(name, 'NSNumber') == 1", "CAST of a property is not supported by stores."),
            (
                "SUBQUERY(friends, $f, $f.age > 3) == nil",
                "SUBQUERY must be followed by '.@count', '[SIZE]' or an aggregate such as '.@sum.age'."
            ),
            ("ANY {1} == 1", "ANY needs a to-many relationship on its left side."),
        ], TestBackend.allCases)
    func `a request with an invalid condition string throws an error with the reason`(
        _ example: (format: String, reason: String), _ backend: TestBackend
    ) throws {
        let test = try Town.filledWithPets(backend)
        for clause in [Where<Pet>(example.format), !Where<Pet>(example.format), Where(true) || Where(example.format)] {
            let error = #expect(throws: CoreStoreError.self) { try test.stack.fetchAll(From<Pet>(), clause) }
            #expect("\(error as Any)".contains(example.reason), "\(error as Any)")
        }
    }
}
