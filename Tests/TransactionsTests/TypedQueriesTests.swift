import Coffer
import Foundation
import TestSupport
import Testing

/// Typed orders, selections and groups.
@MainActor
struct TypedQueriesTests {
    private typealias Pet = Town.Pet
    private typealias Dog = Town.Dog
    private typealias Person = Town.Person

    /// A representation of an object, such as a publisher or a snapshot.
    private struct Badge: ObjectRepresentation {
        typealias ObjectType = Town.Person
        let id: ObjectID

        init(_ master: Town.Person) { id = master.objectID() }

        func objectID() -> ObjectID { id }
    }

    private func order(_ keys: OrderBy<Pet>.SortKey..., test: TestStack) throws -> String {
        try test.names(OrderBy<Pet>(keys), isOrdered: true)
    }

    private func rows(_ chain: QueryChainBuilder<Pet, NSDictionary>, _ test: TestStack) throws -> [String] {
        try test.stack.queryAttributes(chain).map { row in
            row.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }
    }

    @Test(.pins("CLS-64"), arguments: TestBackend.allCases)
    func `objects are ordered by related and computed values`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try order(.ascending(\.$master ~ \.$name), .ascending(\.$name), test: test) == "Eve Ada Bo Cy Di")
        #expect(try order(.descending(\.$master ~ \.$name), .ascending(\.$name), test: test) == "Di Ada Bo Cy Eve")
        #expect(try order(.descending((\Pet.$friends).count()), .ascending(\.$name), test: test) == "Ada Cy Bo Di Eve")
        #expect(try order(.descending { $0.$friends.count() }, .descending(\.$name), test: test) == "Ada Cy Eve Di Bo")
        #expect(
            try order(.descending((\.$friends ~ \.$age).max()), .ascending(\.$name), test: test) == "Ada Cy Bo Di Eve")
        #expect(
            try order(.ascending { ($0.$friends ~ \.$weight).sum() }, .ascending(\.$name), test: test)
                == "Bo Di Eve Cy Ada")
        #expect(try order(.ascending(10 - \Pet.$age), test: test) == "Eve Cy Bo Ada Di")
        #expect(try order(.ascending(\.$weight * -1), test: test) == "Cy Di Bo Ada Eve")
        #expect(
            OrderBy<Pet>(.ascending(\.$master ~ \.$name)) == OrderBy<Pet>(.ascending("master.name")))
    }

    @Test(.pins("CLS-63"), arguments: TestBackend.allCases)
    func `strings are ordered without regard to case and diacritics`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Town.schema)
        try test.stack.perform(synchronous: { transaction in
            for (name, species) in [("b", "x"), ("A", "y"), ("É", nil), ("B", "X"), ("e", "é"), ("a", "E")] {
                let pet = transaction.create(Into<Pet>())
                (pet.name, pet.species) = (name, species)
            }
        })
        func order(_ keys: OrderBy<Pet>.SortKey...) throws -> String {
            try test.names(OrderBy<Pet>(keys), isOrdered: true)
        }
        #expect(try order(.ascending(\.$name)) == "A B a b e É")
        #expect(try order(.ascending(\.$name, options: .caseInsensitive), .ascending(\.$name)) == "A a B b e É")
        #expect(try order(.descending(\.$name, options: .caseInsensitive), .ascending(\.$name)) == "É e B b A a")
        #expect(
            try order(.ascending(\.$name, options: [.caseInsensitive, .diacriticInsensitive]), .descending(\.$name))
                == "a A b B É e")
        #expect(try order(.ascending(\.$name, options: .diacriticInsensitive)) == "A B É a b e")
        #expect(try order(.ascending("name", options: .caseInsensitive), .descending(\.$name)) == "a A b B e É")
        #expect(
            try order(.ascending(\.$species, options: [.caseInsensitive, .diacriticInsensitive]), .ascending(\.$name))
                == "É a e B b A")
        #expect(try order(.ascending(\.$name, options: [.caseInsensitive, .normalized])) == "A B a b e É")
    }

    @Test(.pins("CLS-10"), arguments: TestBackend.allCases)
    func `a query can select key paths and computed values`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let stack = test.stack
        #expect(try stack.queryValue(From<Pet>().select(\.$master ~ \.$name).where(\.$name == "Di")) == "Ben")
        #expect(try stack.queryValue(From<Pet>().select(\.$master ~ \.$city).where(\.$name == "Di")) == nil)
        #expect(try stack.queryValue(From<Pet>().select((\Pet.$friends).count()).where(\.$name == "Ada")) == 2)
        #expect(try stack.queryValue(From<Pet>().select((\.$friends ~ \.$age).max()).where(\.$name == "Ada")) == 10)
        #expect(
            try stack.queryValue(From<Pet>().select((\.$friends ~ \.$age).average()).where(\.$name == "Ada")) == 7.5)
        #expect(try stack.queryValue(From<Pet>().select((\.$friends ~ \.$age).min()).where(\.$name == "Eve")) == nil)
        #expect(try stack.queryValue(From<Pet>().select(\.$age * 2).where(\.$name == "Cy")) == 20)
        let named = From<Pet>().select(
            NSDictionary.self, .attribute(\.$name), .attribute(\.$master ~ \.$name, as: "master"),
            .attribute((\Pet.$friends ~ \.$age).sum(), as: "sum"), .attribute(\Pet.$age + 1, as: "next")
        )
        #expect(
            try rows(named.where(\.$age > 4).orderBy(.ascending(\.$name)), test) == [
                "master=Ann name=Bo next=6 sum=0", "master=Ann name=Cy next=11 sum=1",
            ])
        let totals = From<Pet>().select(
            NSDictionary.self, .sum(\Pet.$age * 2, as: "double"), .maximum(\.$master ~ \.$name),
            .count(\.$master ~ \.$city), .average(\Pet.$age + 1, as: "mean"),
            .minimum((\Pet.$friends).count(), as: "least")
        )
        #expect(
            try rows(totals, test) == ["count(master.city)=3 double=38 least=0 max(master.name)=Ben mean=5.75"])
    }

    @Test(.pins("CLS-91"), arguments: TestBackend.allCases)
    func `typed conditions select groups`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let species = From<Pet>().select(NSDictionary.self, .attribute(\.$species), .count(\.$name, as: "n"))
            .groupBy(\.$species).orderBy(.ascending(\.$species))
        #expect(try rows(species, test) == ["n=1", "n=2 species=cat", "n=2 species=dog"])
        #expect(try rows(species.having(.count(\.$name, as: "n") > 1), test) == ["n=2 species=cat", "n=2 species=dog"])
        #expect(try rows(species.having("n" == 1), test) == ["n=1"])
        // A condition on groups can use aggregates that are not selected.
        #expect(try rows(species.having(.average(\.$age) > 4.5), test) == ["n=2 species=dog"])
        #expect(
            try rows(species.having(.maximum(\.$age) <= 5 && !(.count(\.$name) < 2)), test) == ["n=2 species=cat"])
        #expect(
            try rows(species.having(.sum(\.$age) == 8 || .attribute(\.$species) == "dog"), test) == [
                "n=2 species=cat", "n=2 species=dog",
            ])
        #expect(try rows(species.having(.minimum(\.$age) != 3 && .count(\.$name) >= 2), test) == ["n=2 species=dog"])
        let cities = From<Pet>().select(NSDictionary.self, .attribute(\.$master ~ \.$city), .count(\.$name, as: "n"))
            .groupBy(\.$master ~ \.$city)
        #expect(try rows(cities, test) == ["n=2", "master.city=Rome n=3"])
        let two = From<Pet>().select(
            NSDictionary.self, .attribute(\.$species), .attribute(\.$age), .count(\.$name, as: "n")
        )
        .groupBy(\.$species, \.$age).having(.attribute(\.$age) > 4)
        #expect(try rows(two, test) == ["age=5 n=1 species=cat", "age=10 n=1 species=dog"])
        #expect(throws: CoreStoreError.self) { try rows(species.having(.count("nmae") > 1), test) }
        #expect(throws: CoreStoreError.self) { try rows(species.having(.attribute(\.$age) > 1), test) }
    }

    @Test(.pins("CLS-91"), arguments: TestBackend.allCases)
    func `a condition on groups refuses objects and values of another type`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let species = From<Pet>().select(NSDictionary.self, .attribute(\.$species), .maximum(\.$price, as: "most"))
            .groupBy(\.$species)
        #expect(try rows(species.having(.maximum(\.$price) == 0.2), test) == ["most=0.2 species=cat"])
        func message(_ having: Having<Pet>) -> String? {
            let error = #expect(throws: CoreStoreError.self) { try rows(species.having(having), test) }
            return error?.storageError?.message
        }
        let groups = "A condition on groups compares"
        #expect(message(.maximum(\.$price) > "x") == "\(groups) 'maximum of Pet.price' with a string. Use a decimal.")
        #expect(message(.count(\.$price) == Date()) == "\(groups) 'count of Pet.price' with a date. Use an integer.")
        #expect(
            message(.attribute(\.$species) != 1 && .count(\.$price) > 0)
                == "\(groups) 'Pet.species' with an integer. Use a string.")
        #expect(message(.sum(\.$age) > Double.nan)?.hasPrefix("NaN cannot be used") == true)
        let masters = From<Pet>().select(NSDictionary.self, .count(\.$name)).groupBy("master")
        let ann = try #require(try test.stack.fetchObjectID(From<Town.Person>().where(\.$name == "Ann")))
        let error = #expect(throws: CoreStoreError.self) {
            try rows(masters.having(.attribute("master") == ann), test)
        }
        #expect(
            error?.storageError?.message
                == "\(groups) 'Pet.master' with an object. Use nil, or compare the objects in 'where'.")
    }

    @Test(.pins("CLS-81"), arguments: TestBackend.allCases)
    func `an attribute can have a custom name in the result of a query`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let pets = From<Pet>().select(
            NSDictionary.self, .attribute(\.$name, as: "who"), .attribute("age", as: "years"),
            .attribute(\.$master ~ \.$name, as: "whose")
        )
        #expect(try rows(pets.where(\.$name == "Bo"), test) == ["who=Bo whose=Ann years=5"])
        let species = From<Pet>().select(
            NSDictionary.self, .attribute(\.$species, as: "what"), .count(\.$name, as: "n")
        )
        .groupBy(\.$species).having(.attribute(\.$species, as: "what") == "cat")
        #expect(try rows(species, test) == ["n=2 what=cat"])
    }

    @Test(.pins("CLS-11"), arguments: TestBackend.allCases)
    func `distinct, limit and offset apply to fetches and queries`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        func names(_ chain: FetchChainBuilder<Pet>) throws -> [String] { try test.stack.fetchAll(chain).map(\.name) }
        let byName = From<Pet>().orderBy(.ascending(\.$name))
        #expect(try names(byName.limit(2)) == ["Ada", "Bo"])
        #expect(try names(byName.offset(3)) == ["Di", "Eve"])
        #expect(try names(byName.offset(1).limit(2)) == ["Bo", "Cy"])
        #expect(try names(From<Pet>().limit(1).orderBy(.descending(\.$name))) == ["Eve"])
        #expect(try names(From<Pet>().offset(4).orderBy(.descending(\.$name))) == ["Ada"])
        #expect(try names(byName.limit(0)) == [])
        #expect(try names(byName.limit(-1)) == [])
        #expect(try names(byName.limit(0).limit(1)) == ["Ada"])
        #expect(try names(byName.limit(0).tweak { $0.fetchLimit = 1 }) == ["Ada"])
        #expect(try names(byName.limit(9).offset(-1)).count == 5)
        #expect(try test.stack.fetchOne(byName.limit(0)) == nil)
        #expect(try test.stack.fetchCount(byName.limit(0)) == 0)
        #expect(try test.stack.fetchCount(byName.limit(3)) == 3)
        let inside = try test.stack.perform(synchronous: { transaction in
            try transaction.fetchOne(byName)?.weight = 5
            return try transaction.fetchAll(byName.limit(0)).count + transaction.fetchCount(byName.limit(0))
        })
        #expect(inside == 0)
        let species = From<Pet>().select(NSDictionary.self, "species").orderBy(.ascending(\.$species))
        #expect(try rows(species.distinct(), test) == ["", "species=cat", "species=dog"])
        #expect(try rows(species.distinct().offset(1).limit(1), test) == ["species=cat"])
        #expect(try rows(species.limit(0), test) == [])
        #expect(try test.stack.queryValue(From<Pet>().select(\.$age).limit(0)) == nil)
    }

    @Test(.pins("CLS-44"), arguments: TestBackend.allCases)
    func `conditions accept objects, ids and values that represent objects`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filledWithPets(backend)
        let masters = try test.stack.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
        let (ann, ben) = (masters[0], masters[1])
        let cy = try #require(try test.stack.fetchOne(From<Pet>().where(\.$name == "Cy")))
        let annsPets: [Where<Pet>] = [
            \.$master == ann, \.$master == ann.objectID(), \.$master == Badge(ann), [ann] ~= \.$master,
            [ann.objectID()] ~= \.$master, [Badge(ann)] ~= \.$master, Where { $0.$master == ann },
            Where { $0.$master == ann.objectID() }, Where { $0.$master == Badge(ann) }, Where { [ann] ~= $0.$master },
            Where { [ann.objectID()] ~= $0.$master }, Where("master", isEqualTo: Badge(ann)),
            Where("master", isMemberOf: [Badge(ann)]), Where("master == %@", Badge(ann)),
            Where("master IN %@", [Badge(ann)]), Where("master == %@", ann.objectID()),
            (\.$master ~ \.$spouse) == ben, (\.$master ~ \.$spouse) == ben.objectID(),
            (\.$master ~ \.$spouse) == Badge(ben), [ben] ~= (\.$master ~ \.$spouse),
            [ben.objectID()] ~= (\.$master ~ \.$spouse), (\.$master ~ \.$pets).any() == cy,
        ]
        for clause in annsPets { #expect(try test.names(clause) == "Ada Bo Cy", "\(clause.predicate)") }
        let others: [Where<Pet>] = [
            \.$master != ann, \.$master != ann.objectID(), \.$master != Badge(ann), Where { $0.$master != ann },
            Where { $0.$master != ann.objectID() }, Where { $0.$master != Badge(ann) },
            (\.$master ~ \.$spouse) != ben, (\.$master ~ \.$spouse) != ben.objectID(),
            (\.$master ~ \.$spouse) != Badge(ben), (\.$master ~ \.$pets).none() == cy,
        ]
        for clause in others { #expect(try test.names(clause) == "Di Eve", "\(clause.predicate)") }
        #expect(try test.names(Where<Pet> { $0.$master == nil }) == "Eve")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$spouse) == nil)) == "Di Eve")
        let withCy: [Where<Pet>] = [
            (\Pet.$friends).contains(cy), (\Pet.$friends).contains(cy.objectID()), Where { $0.$friends.contains(cy) },
            Where { $0.$friends.contains(cy.objectID()) }, Where("friends CONTAINS %@", cy),
            (\Pet.$friends ~ \.$friendOf).any() == cy || (\Pet.$friends).contains(cy),
        ]
        for clause in withCy.prefix(5) { #expect(try test.names(clause) == "Ada", "\(clause.predicate)") }
        #expect(try test.names(withCy[5]) == "Ada Cy")
    }

    @Test(.pins("CLS-51"), arguments: TestBackend.allCases)
    func `an unsupported condition or order is refused with a reason`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        func refusal(_ clause: any FetchClause) throws -> String {
            let error = #expect(throws: CoreStoreError.self) { try test.stack.fetchAll(From<Pet>(), [clause]) }
            return error.map { "\($0)" } ?? ""
        }
        func expect(_ part: String, _ clause: any FetchClause, location: SourceLocation = #_sourceLocation) throws {
            let text = try refusal(clause)
            #expect(text.contains(part), "\(text)", sourceLocation: location)
        }
        let many = "'Pet.friends.age' has many values. Add ANY, ALL or NONE to the condition."
        try expect(many, Where<Pet>((\.$friends ~ \.$age) == 3))
        try expect(many, Where<Pet>(1...3 ~= (\.$friends ~ \.$age)))
        try expect(many, Where<Pet>("friends.age > age"))
        try expect("has many values", Where<Pet>((\.$friends ~ \.$friends).count() == 1))
        try expect("has many values", Where<Pet>((\.$friends ~ \.$friends ~ \.$age).sum() == 1))
        try expect(
            "'friends.age' has many values. Use a range 'a...b' instead of 'a..<b'.",
            Where<Pet>(1..<3 ~= (\.$friends ~ \.$age).any()))
        try expect("'friends.age' has many values for one 'Pet'", OrderBy<Pet>(.ascending(\.$friends ~ \.$age)))
        try expect(
            "'age[c] ascending' needs a string, but 'Pet.age' is an integer.",
            OrderBy<Pet>(.ascending("age", options: .caseInsensitive)))
        try expect(
            "'Pet' has no property 'nmae'. Did you mean 'name'?",
            OrderBy<Pet>(.ascending("nmae", options: .caseInsensitive)))
        try expect("depend on a language", OrderBy<Pet>(.ascending(\.$name, options: .localeSensitive)))
        try expect("depend on a language", Where<Pet>((\Pet.$name).contains("a", options: .localeSensitive)))
        try expect("not a regular expression", Where<Pet>((\Pet.$name).matches("(")))
        try expect("must be on the left side", Where<Pet>(\Pet.$age > (\Pet.$friends ~ \.$age).any()))
    }
}
