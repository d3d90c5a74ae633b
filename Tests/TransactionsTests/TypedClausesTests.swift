import Coffer
import Foundation
import TestSupport
import Testing

/// Typed conditions and equivalent format strings, which must both find the listed objects.
@MainActor
struct TypedClausesTests {
    private typealias Pet = Town.Pet
    private typealias Person = Town.Person

    /// A condition, the equivalent format string, and the pets that both find.
    struct Pair: CustomTestStringConvertible, Sendable {
        let clause: Where<Town.Pet>
        let format: String
        let arguments: [any Sendable]
        let found: String

        init(
            _ clause: Where<Town.Pet>, _ format: String, _ arguments: any Sendable..., finds found: String
        ) {
            self.clause = clause
            self.format = format
            self.arguments = arguments
            self.found = found
        }

        var testDescription: String { format }
    }

    private func check(_ pair: Pair, _ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(pair.clause) == pair.found)
        #expect(try test.names(Where<Pet>(pair.format, argumentArray: pair.arguments)) == pair.found)
        let all = Set(["Ada", "Bo", "Cy", "Di", "Eve"])
        let found = Set(pair.found.split(separator: " ").map(String.init))
        #expect(try test.names(!pair.clause) == all.subtracting(found).sorted().joined(separator: " "))
    }

    @Test(
        .pins("CLS-27"),
        arguments: [
            Pair((\Pet.$name).contains("d"), "name CONTAINS 'd'", finds: "Ada"),
            Pair(
                (\Pet.$name).contains("Ì", options: [.caseInsensitive, .diacriticInsensitive]), "name CONTAINS[cd] 'Ì'",
                finds: "Di"),
            Pair((\Pet.$name).contains(""), "name CONTAINS ''", finds: ""),
            Pair((\Pet.$species).contains("a"), "species CONTAINS 'a'", finds: "Ada Bo"),
            Pair((\Pet.$name).beginsWith("A"), "name BEGINSWITH 'A'", finds: "Ada"),
            Pair(
                (\Pet.$name).beginsWith("c", options: .caseInsensitive), "name BEGINSWITH[c] 'c'", finds: "Cy"),
            Pair(
                (\Pet.$name).beginsWith("c", options: [.caseInsensitive, .normalized]), "name BEGINSWITH[cn] 'c'",
                finds: ""),
            Pair((\Pet.$species).beginsWith("d"), "species BEGINSWITH 'd'", finds: "Cy Di"),
            Pair((\Pet.$name).endsWith("a"), "name ENDSWITH 'a'", finds: "Ada"),
            Pair((\Pet.$name).endsWith("Ó", options: [.diacriticInsensitive]), "name ENDSWITH[d] 'Ó'", finds: ""),
            Pair((\Pet.$name).endsWith("ó", options: [.diacriticInsensitive]), "name ENDSWITH[d] 'ó'", finds: "Bo"),
            Pair((\Pet.$name).like("?v*"), "name LIKE '?v*'", finds: "Eve"),
            Pair((\Pet.$name).like("*D*", options: .caseInsensitive), "name LIKE[c] '*D*'", finds: "Ada Di"),
            Pair((\Pet.$species).like("*"), "species LIKE '*'", finds: "Ada Bo Cy Di"),
            Pair((\Pet.$name).matches("[A-C].*"), "name MATCHES '[A-C].*'", finds: "Ada Bo Cy"),
            Pair(
                (\Pet.$name).matches("(a|ad|ada)", options: .caseInsensitive), "name MATCHES[c] '(a|ad|ada)'",
                finds: "Ada"),
            Pair((\Pet.$species).equals("CAT", options: .caseInsensitive), "species ==[c] 'CAT'", finds: "Ada Bo"),
            Pair(Where { $0.$species.endsWith("og") }, "species ENDSWITH 'og'", finds: "Cy Di"),
            Pair(
                Where { $0.$name.like("?o") || $0.$name.contains("v") }, "name LIKE '?o' OR name CONTAINS 'v'",
                finds: "Bo Eve"),
            Pair(
                (\Pet.$master ~ \.$name).beginsWith("a", options: .caseInsensitive), "master.name BEGINSWITH[c] 'a'",
                finds: "Ada Bo Cy"),
            Pair((\Pet.$master ~ \.$city).contains("o"), "master.city CONTAINS 'o'", finds: "Ada Bo Cy"),
            Pair(Where { ($0.$master ~ \.$city).matches("R.*") }, "master.city MATCHES 'R.*'", finds: "Ada Bo Cy"),
            Pair((\Pet.$friends ~ \.$name).any().endsWith("o"), "ANY friends.name ENDSWITH 'o'", finds: "Ada"),
            Pair((\Pet.$species).contains(\Pet.$species), "species CONTAINS species", finds: "Ada Bo Cy Di"),
            Pair((\Pet.$name).beginsWith(\Pet.$species), "name BEGINSWITH species", finds: ""),
            Pair(
                (\Pet.$species).equals(\Pet.$species, options: .caseInsensitive), "species ==[c] species",
                finds: "Ada Bo Cy Di Eve"),
            Pair(
                Where { $0.$name.beginsWith($0.$master ~ \.$name, options: .caseInsensitive) },
                "name BEGINSWITH[c] master.name", finds: ""),
            Pair((\Pet.$master ~ \.$name).like(\Pet.$name), "master.name LIKE name", finds: ""),
            Pair(
                (\Pet.$friends ~ \.$species).any().endsWith(\Pet.$species), "ANY friends.species ENDSWITH species",
                finds: "Ada Cy"),
            Pair(
                (\Pet.$friends ~ \.$name).none().like("D*"), "NONE friends.name LIKE 'D*'", finds: "Ada Bo Di Eve"),
            Pair(
                (\Pet.$friends ~ \.$species).all().beginsWith("d"), "ALL friends.species BEGINSWITH 'd'",
                finds: "Bo Cy Di Eve"),
        ], TestBackend.allCases)
    func `string methods equal their condition strings and find the same objects`(
        _ pair: Pair, _ backend: TestBackend
    ) throws {
        try check(pair, backend)
        #expect(pair.clause == Where(pair.format, argumentArray: pair.arguments))
    }

    @Test(
        .pins("CLS-40"),
        arguments: [
            Pair(\.$name ?= "d", "name CONTAINS 'd'", finds: "Ada"),
            Pair(\.$name ^= "A", "name BEGINSWITH 'A'", finds: "Ada"),
            Pair(\.$species |= "g", "species ENDSWITH 'g'", finds: "Cy Di"),
            Pair(
                \.$age >= 3 && (\.$name ^= "A") || (\.$name |= "e"),
                "age >= 3 AND name BEGINSWITH 'A' OR name ENDSWITH 'e'", finds: "Ada Eve"),
            Pair(Where { $0.$name ?= "y" }, "name CONTAINS 'y'", finds: "Cy"),
            Pair((\Pet.$master ~ \.$name) ^= "B", "master.name BEGINSWITH 'B'", finds: "Di"),
            Pair((\Pet.$master ~ \.$city) |= "me", "master.city ENDSWITH 'me'", finds: "Ada Bo Cy"),
        ], TestBackend.allCases)
    func `string operators equal their condition strings and find the same objects`(
        _ pair: Pair, _ backend: TestBackend
    ) throws {
        try check(pair, backend)
        #expect(pair.clause == Where(pair.format, argumentArray: pair.arguments))
    }

    @Test(
        .pins("CLS-41"),
        arguments: [
            Pair(3...5 ~= \.$age, "age BETWEEN {3, 5}", finds: "Ada Bo"),
            Pair((\Pet.$age).between(4...10), "age BETWEEN %@", [4, 10], finds: "Bo Cy"),
            Pair(2.5...10 ~= \.$weight, "weight BETWEEN {2.5, 10}", finds: "Ada Bo Di"),
            Pair("B"..."D" ~= \.$name, "name BETWEEN {'B', 'D'}", finds: "Bo Cy"),
            Pair("a"..."d" ~= \.$species, "species BETWEEN {'a', 'd'}", finds: "Ada Bo"),
            Pair(3..<5 ~= \.$age, "age >= 3 AND age < 5", finds: "Ada"),
            Pair(2.5..<10 ~= \.$weight, "weight >= 2.5 AND weight < 10", finds: "Ada Bo"),
            Pair(5... ~= \.$age, "age >= 5", finds: "Bo Cy"),
            Pair(Where { 3...5 ~= $0.$age }, "age BETWEEN {3, 5}", finds: "Ada Bo"),
            Pair(Where { $0.$weight.between(3...4) }, "weight BETWEEN {3.0, 4.0}", finds: "Bo"),
            Pair(Where { 1..<4 ~= $0.$age }, "age >= 1 AND age < 4", finds: "Ada Di"),
            Pair(Where { 4... ~= $0.$age }, "age >= 4", finds: "Bo Cy"),
            Pair("A"..."Az" ~= (\.$master ~ \.$name), "master.name BETWEEN {'A', 'Az'}", finds: "Ada Bo Cy"),
            Pair((\Pet.$master ~ \.$city).between("A"..."Z"), "master.city BETWEEN {'A', 'Z'}", finds: "Ada Bo Cy"),
            Pair(2...6 ~= (\Pet.$friends ~ \.$age).any(), "ANY friends.age BETWEEN {2, 6}", finds: "Ada"),
            Pair((\Pet.$friends ~ \.$age).none().between(1...5), "NONE friends.age BETWEEN {1, 5}", finds: "Bo Di Eve"),
            Pair(...5 ~= \.$age, "age <= 5", finds: "Ada Bo Di"),
            Pair(..<5 ~= \.$age, "age < 5", finds: "Ada Di"),
            Pair(3.5... ~= \.$weight, "weight >= 3.5", finds: "Bo Cy Di"),
            Pair(...2.5 ~= \.$weight, "weight <= 2.5", finds: "Ada Eve"),
            Pair(..."b" ~= \.$species, "species <= 'b'", finds: ""),
            Pair(Where { ...5 ~= $0.$age && 2.5... ~= $0.$weight }, "age <= 5 AND weight >= 2.5", finds: "Ada Bo Di"),
            Pair(..<"B" ~= (\.$master ~ \.$name), "master.name < 'B'", finds: "Ada Bo Cy"),
            Pair(6... ~= (\Pet.$friends ~ \.$age).any(), "ANY friends.age >= 6", finds: "Ada"),
            Pair(...5 ~= (\Pet.$friends ~ \.$age).max(), "friends.@max.age <= 5", finds: "Cy"),
            Pair([3, 5] ~= \.$age, "age IN {3, 5}", finds: "Ada Bo"),
            Pair(Where(\.$age, isMemberOf: [Int](3...5)), "age IN {3, 4, 5}", finds: "Ada Bo"),
            Pair([Int](1...3) ~= \.$age, "age IN {1, 2, 3}", finds: "Ada Di"),
            Pair(Set(["dog"]) ~= \.$species, "species IN {'dog'}", finds: "Cy Di"),
            Pair([1, nil] ~= \.$age, "age IN {1, nil}", finds: "Di"),
            Pair(Where { [Int](4...10) ~= $0.$age }, "age IN {4, 5, 6, 7, 8, 9, 10}", finds: "Bo Cy"),
            Pair(["Rome"] ~= (\.$master ~ \.$city), "master.city IN {'Rome'}", finds: "Ada Bo Cy"),
            Pair(["Cy", "Di"] ~= (\Pet.$friends ~ \.$name).any(), "ANY friends.name IN {'Cy', 'Di'}", finds: "Ada Cy"),
        ], TestBackend.allCases)
    func `typed conditions accept ranges and lists`(_ pair: Pair, _ backend: TestBackend) throws {
        try check(pair, backend)
    }

    @Test(
        .pins("CLS-51"),
        arguments: [
            Pair((\.$friends ~ \.$age).max() == 10, "friends.@max.age == 10", finds: "Ada"),
            Pair((\.$friends ~ \.$age).min() <= 5, "friends.@min.age <= 5", finds: "Ada Cy"),
            Pair((\.$friends ~ \.$age).min() == nil, "friends.@min.age == nil", finds: "Bo Di Eve"),
            Pair((\.$friends ~ \.$age).max() != 10, "friends.@max.age != 10", finds: "Bo Cy Di Eve"),
            Pair((\.$friends ~ \.$age).sum() == 15, "friends.@sum.age == 15", finds: "Ada"),
            Pair((\.$friends ~ \.$age).sum() == 0, "friends.@sum.age == 0", finds: "Bo Di Eve"),
            Pair((\.$friends ~ \.$age).average() > 7, "friends.@avg.age > 7", finds: "Ada"),
            Pair((\.$friends ~ \.$age).average() == 7.5, "friends.@avg.age == 7.5", finds: "Ada"),
            Pair((\.$friends ~ \.$weight).sum() > 10, "friends.@sum.weight > 10", finds: "Ada"),
            Pair((\.$friends ~ \.$price).average() > 50, "friends.@avg.price > 50", finds: "Ada"),
            Pair((\.$friends ~ \.$name).min() == "Bo", "friends.@min.name == 'Bo'", finds: "Ada"),
            Pair((\.$friends ~ \.$name).max().beginsWith("C"), "friends.@max.name BEGINSWITH 'C'", finds: "Ada"),
            Pair((\.$master ~ \.$pets ~ \.$age).sum() == 18, "master.pets.@sum.age == 18", finds: "Ada Bo Cy"),
            Pair((\.$master ~ \.$pets).count() == 1, "master.pets.@count == 1", finds: "Di"),
            Pair(
                (\.$friends ~ \.$master ~ \.$name).max() == "Ben", "friends.@max.master.name == 'Ben'", finds: "Cy"),
            Pair(
                (\.$friends ~ \.$friends).any().count() == 1, "ANY friends.friends.@count == 1", finds: "Ada"),
            Pair(
                (\.$friends ~ \.$friends ~ \.$age).any().sum() == 1, "ANY friends.friends.@sum.age == 1", finds: "Ada"),
            Pair(Where { $0.$friends.count() == 2 }, "friends.@count == 2", finds: "Ada"),
            Pair(Where { ($0.$friends ~ \.$age).max() < 5 }, "friends.@max.age < 5", finds: "Cy"),
            Pair(Where { ($0.$master ~ \.$name) == "Ben" }, "master.name == 'Ben'", finds: "Di"),
            Pair(Where { ($0.$master ~ \.$pets).count() > 2 }, "master.pets.@count > 2", finds: "Ada Bo Cy"),
            Pair(
                (\Pet.$friends).count { $0.$age > 3 && $0.$name != "Bo" } == 1,
                "SUBQUERY(friends, $f, $f.age > 3 AND $f.name != 'Bo').@count == 1", finds: "Ada"),
            Pair(
                Where { $0.$friends.count { ($0.$friends ~ \.$age).max() == 1 } > 0 },
                "SUBQUERY(friends, $f, $f.friends.@max.age == 1).@count > 0", finds: "Ada"),
            Pair(2...5 ~= (\Pet.$friends ~ \.$age).min(), "friends.@min.age BETWEEN {2, 5}", finds: "Ada"),
            Pair(
                (\Pet.$master ~ \.$pets).count { $0.$age > 3 } == 2,
                "SUBQUERY(master.pets, $p, $p.age > 3).@count == 2", finds: "Ada Bo Cy"),
            Pair(
                Where { ($0.$master ~ \.$pets).count { $0.$species == "dog" } == 1 },
                "SUBQUERY(master.pets, $p, $p.species == 'dog').@count == 1", finds: "Ada Bo Cy Di"),
        ], TestBackend.allCases)
    func `typed conditions can compute values of related objects`(_ pair: Pair, _ backend: TestBackend) throws {
        try check(pair, backend)
    }

    @Test(
        .pins("CLS-54"),
        arguments: [
            Pair(\.$price == 0.1, "price == 0.1", finds: "Ada"),
            Pair(\.$price <= 0.2 && \.$price > 0, "price <= 0.2 AND price > 0.0", finds: "Ada Bo"),
            Pair(0.1...0.2 ~= \.$price, "price BETWEEN %@", [0.1, 0.2], finds: "Ada Bo"),
            Pair(\Pet.$age * 2 > 10, "age * 2 > 10", finds: "Cy"),
            Pair(\.$age + 1 == 4, "age + 1 == 4", finds: "Ada"),
            Pair(\.$age / 2 == 2, "age / 2 == 2", finds: "Bo"),
            Pair(\.$age / 0 == nil, "age / 0 == nil", finds: "Ada Bo Cy Di Eve"),
            Pair(\.$weight - 0.5 < 1, "weight - 0.5 < 1", finds: "Eve"),
            Pair(\.$price * 2 == (Decimal(string: "0.4") ?? 0), "price * 2 == %@", Decimal(string: "0.4"), finds: "Bo"),
            Pair(10 - \Pet.$age < 6, "10 - age < 6", finds: "Bo Cy"),
            Pair(\.$weight > \.$weight, "weight > weight", finds: ""),
            Pair(\.$species == \.$name, "species == name", finds: ""),
            Pair(\.$species != \.$species, "species != species", finds: ""),
            Pair(\.$name <= \.$species, "name <= species", finds: "Ada Bo Cy Di"),
            Pair(\Pet.$name < (\Pet.$master ~ \.$name), "name < master.name", finds: "Ada"),
            Pair((\Pet.$master ~ \.$name) > \Pet.$name, "master.name > name", finds: "Ada"),
            Pair(Where { $0.$age + $0.$age * 2 - 1 > 10 }, "age + age * 2 - 1 > 10", finds: "Bo Cy"),
            Pair(Where { $0.$species == $0.$species }, "species == species", finds: "Ada Bo Cy Di Eve"),
            Pair(
                (\Pet.$friends ~ \.$age).any() > \Pet.$age, "ANY friends.age > age", finds: "Ada"),
            Pair(\Pet.$age < (\Pet.$friends ~ \.$age), "age < friends.age", finds: "Ada"),
            Pair((\Pet.$friends ~ \.$age).any() * 2 > 15, "ANY friends.age * 2 > 15", finds: "Ada"),
            Pair((\Pet.$friends ~ \.$age).sum() + 1 == 16, "friends.@sum.age + 1 == 16", finds: "Ada"),
            Pair((\Pet.$friends ~ \.$age).max() > \Pet.$age, "friends.@max.age > age", finds: "Ada"),
        ], TestBackend.allCases)
    func `typed conditions can compute values and compare values with each other`(
        _ pair: Pair, _ backend: TestBackend
    ) throws {
        try check(pair, backend)
    }

    @Test(
        .pins("CLS-54"),
        arguments: [
            Pair((\.$master ~ \.$name) == nil, "master.name == nil", finds: "Eve"),
            Pair((\.$master ~ \.$name) != nil, "master.name != nil", finds: "Ada Bo Cy Di"),
            Pair((\.$master ~ \.$name) == Optional("Ben"), "master.name == 'Ben'", finds: "Di"),
            Pair((\.$master ~ \.$spouse ~ \.$name) == nil, "master.spouse.name == nil", finds: "Di Eve"),
            Pair((\.$master ~ \.$city) < Optional("S"), "master.city < 'S'", finds: "Ada Bo Cy"),
            Pair((\.$master ~ \.$city) > String?.none, "master.city > nil", finds: ""),
            Pair(
                (\Pet.$master ~ \.$spouse) == (\Pet.$master ~ \.$spouseOf), "master.spouse == master.spouseOf",
                finds: "Eve"),
            Pair(\Pet.$master != (\Pet.$master ~ \.$spouse), "master != master.spouse", finds: "Ada Bo Cy Di"),
            Pair(
                Where { $0.$master == ($0.$master ~ \.$spouse ~ \.$spouseOf) }, "master == master.spouse.spouseOf",
                finds: "Ada Bo Cy Eve"),
            Pair((\Pet.$friends ~ \.$master).any() == \Pet.$master, "ANY friends.master == master", finds: "Ada"),
            Pair(\.$master == \.$master, "master == master", finds: "Ada Bo Cy Di Eve"),
            Pair((\.$master ~ \.$name) ?= "n", "master.name CONTAINS 'n'", finds: "Ada Bo Cy Di"),
            Pair((\.$master ~ \.$city) ^= "R", "master.city BEGINSWITH 'R'", finds: "Ada Bo Cy"),
        ], TestBackend.allCases)
    func `a typed condition compares a related object with nil, optionals and other paths`(
        _ pair: Pair, _ backend: TestBackend
    ) throws {
        try check(pair, backend)
    }

    @Test(.pins("CLS-30"), arguments: TestBackend.allCases)
    func `typed conditions of a subclass accept the fields of its superclass`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        func names(_ fetch: FetchChainBuilder<Town.Dog>) throws -> [String] {
            try test.stack.fetchAll(fetch.orderBy(.ascending(\.$name, options: .caseInsensitive))).map(\.name)
        }
        let from = From<Town.Dog>()
        #expect(try names(from.where(\.$name ^= "C")) == ["Cy"])
        #expect(try names(from.where((\Town.Dog.$name).endsWith("i"))) == ["Di"])
        #expect(try names(from.where { $0.$name.contains("y") && $0.$tricks > 3 }) == ["Cy"])
        #expect(try names(from.where(1...3 ~= \.$age)) == ["Di"])
        #expect(try names(from.where(\.$age > \.$tricks)) == ["Cy", "Di"])
        #expect(try names(from.where(\.$age + \.$tricks > 10)) == ["Cy"])
        #expect(try names(from.where((\.$friends ~ \.$age).max() == 1)) == ["Cy"])
    }
}
