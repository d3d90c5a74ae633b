import Coffer
import Foundation
import TestSupport
import Testing

/// The results of queries.
@MainActor
struct ClausesSelectTests {
    private typealias Pet = Town.Pet
    private typealias Dog = Town.Dog
    private typealias Person = Town.Person

    /// The rows as strings: `key=value`, sorted by key.
    private func rows(_ chain: QueryChainBuilder<Pet, NSDictionary>, _ test: TestStack) throws -> [String] {
        try test.stack.queryAttributes(chain).map { row in
            row.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }
    }

    @Test(.pins("CLS-80"), arguments: TestBackend.allCases)
    func `a query returns a value or rows`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let oldest = From<Pet>().select(String.self, .attribute(\.$name)).orderBy(.descending(\.$age))
        #expect(try test.stack.queryValue(oldest) == "Cy")
        #expect(try test.stack.queryValue(From<Pet>().select(\.$age).where(\.$name == "Bo")) == 5)
        #expect(try test.stack.queryValue(From<Pet>().select(\.$age).where(\.$name == "Eve")) == nil)
        #expect(try test.stack.queryValue(From<Pet>().select(\.$age).where(\.$name == "nobody")) == nil)
        #expect(try test.stack.queryValue(From<Pet>().select(Date.self, .attribute(\.$name))) == nil)
        let all = From<Pet>().select(NSDictionary.self, "name", "age").orderBy(.ascending(\.$name))
        #expect(
            try rows(all, test) == ["age=3 name=Ada", "age=5 name=Bo", "age=10 name=Cy", "age=1 name=Di", "name=Eve"])
        #expect(try rows(all.tweak { ($0.fetchLimit, $0.fetchOffset) = (1, 1) }, test) == ["age=5 name=Bo"])
        let species = From<Pet>().select(NSDictionary.self, "species").orderBy(.ascending(\.$species))
        #expect(
            try rows(species.tweak { $0.returnsDistinctResults = true }, test) == ["", "species=cat", "species=dog"])
        #expect(
            try rows(From<Pet>().select(NSDictionary.self, "master.name").where(\.$age == 10), test) == [
                "master.name=Ann"
            ])
    }

    @Test(.pins("CLS-81"), arguments: TestBackend.allCases)
    func `queried rows contain values under default names or aliases`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let aggregates = From<Pet>().select(
            NSDictionary.self, .average(\.$age), .count(\.$age), .maximum(\.$age), .minimum(\.$age), .sum(\.$age)
        )
        #expect(try rows(aggregates, test) == ["average(age)=4.75 count(age)=4 max(age)=10 min(age)=1 sum(age)=19"])
        let named = From<Pet>().select(
            NSDictionary.self, .average("weight", as: "mean"), .count("name", as: "n"), .maximum("name", as: "last"),
            .minimum("name", as: "first"), .sum("price", as: "total")
        )
        #expect(try rows(named, test) == ["first=Ada last=Eve mean=7.4 n=5 total=100.3"])
        let id = try #require(try test.stack.fetchObjectID(From<Pet>().where(\.$name == "Bo")))
        let identity = From<Pet>().select(NSDictionary.self, .objectID(), .objectID(as: "id")).where(\.$name == "Bo")
        #expect(try rows(identity, test) == ["id=\(id) objectID=\(id)"])
    }

    @Test(.pins("CLS-82"), arguments: TestBackend.allCases)
    func `equal select terms return the same value`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let terms: [SelectTerm<Pet>] = ["age", .attribute("age"), .attribute(\.$age)]
        #expect(Set(terms).count == 1)
        #expect(SelectTerm<Pet>.sum("age") != .sum("age", as: "total"))
        #expect(SelectTerm<Pet>.sum("age") != .average("age"))
        #expect(Select<Pet, Int>("age") == Select<Pet, String>("age"))
        for term in terms {
            #expect(try test.stack.queryValue(From<Pet>().select(Int.self, term).where(\.$name == "Cy")) == 10)
        }
    }

    @Test(.pins("CLS-83"), arguments: TestBackend.allCases)
    func `aggregates return values of the requested types`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        func value<V: QueryableAttributeType>(_ type: V.Type, _ term: SelectTerm<Pet>) throws -> V? {
            try test.stack.queryValue(From<Pet>().select(type, term))
        }
        #expect(try value(Int.self, .count(\.$age)) == 4)
        #expect(try value(Double.self, .average(\.$age)) == 4.75)
        #expect(try value(Decimal.self, .sum(\.$price)) == Decimal(string: "100.3"))
        #expect(try value(Double.self, .sum(\.$weight)) == 37)
        #expect(try value(String.self, .minimum(\.$name)) == "Ada")
        #expect(try value(Int.self, .maximum(\.$age)) == 10)
        #expect(try value(Decimal.self, .maximum(\.$price)) == 100)
        guard case ._aggregate(let function, _, let alias, let type) = SelectTerm<Pet>.sum(\.$age) else { return }
        #expect([function, alias] == ["sum:", "sum(age)"] as [String])
        #expect(type == .decimalAttributeType)
    }

    @Test(.pins("CLS-84"), arguments: TestBackend.allCases)
    func `a query can select ids of objects and of related objects`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let cy = try #require(try test.stack.fetchOne(From<Pet>().where(\.$name == "Cy")))
        let id = try test.stack.queryValue(From<Pet>(), Select<Pet, ObjectID>(), Where<Pet>(\.$name == "Cy"))
        #expect(id == cy.objectID())
        let found: Pet? = id.flatMap { test.stack.fetchExisting($0) }
        #expect(found === cy)
        let master = From<Pet>().select(ObjectID.self, "master").where(\.$name == "Cy")
        #expect(try test.stack.queryValue(master) == cy.master?.objectID())
        let dog = From<Dog>().select(ObjectID.self, .objectID()).where { $0.$name == "Cy" }
        #expect(try test.stack.queryValue(dog) == cy.objectID())
    }

    @Test(.pins("CLS-85"), arguments: TestBackend.allCases)
    func `a subclass selects the fields of its superclass by name`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let tricks = From<Dog>().select(Int.self, .sum(\.$tricks))
        #expect(try test.stack.queryValue(tricks) == 4)
        #expect(try test.stack.queryValue(From<Dog>().select(Int.self, .sum("age"))) == 11)
    }

    @Test(.pins("CLS-86"), arguments: TestBackend.allCases)
    func `queryValue returns the value of the first of several terms`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let chain = From<Pet>().select(Int.self, .maximum(\.$age), .minimum(\.$age))
        #expect(try test.stack.queryValue(chain) == 10)
        #expect(try test.stack.queryValue(From<Pet>().select(Int.self, .count("master.name"))) == 4)
        let unknown = #expect(throws: CoreStoreError.self) {
            try test.stack.queryValue(From<Pet>().select(Int.self, .maximum("agee")))
        }
        #expect(unknown?.storageError?.message == "'Pet' has no property 'agee'. Did you mean 'age'?")
    }

    @Test(.pins("CLS-86"), arguments: TestBackend.allCases)
    func `an aggregate of a relationship is refused, except a count`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        func refusal(_ term: SelectTerm<Pet>) -> StorageError? {
            #expect(throws: CoreStoreError.self) { try test.stack.queryValue(From<Pet>().select(Int.self, term)) }?
                .storageError
        }
        let terms: [SelectTerm<Pet>] = [
            .maximum("master"), .sum("master"), .average("friends"), .minimum("master.pets"), .sum("master.spouse"),
        ]
        for term in terms {
            #expect(refusal(term)?.code == .invalidRequest, "\(term)")
        }
        #expect(
            refusal(.maximum("master"))?.message
                == "'Pet.master' is a relationship and has no maximum. Name an attribute of the related objects.")
        // The error is the same in a condition on groups.
        let grouped = From<Pet>().select(NSDictionary.self, "species").groupBy(\.$species)
        let having = #expect(throws: CoreStoreError.self) {
            try test.stack.queryAttributes(grouped.having(.maximum("master") > 1))
        }
        #expect(having?.storageError?.code == .invalidRequest)
        #expect(
            having?.storageError?.message
                == "'Pet.master' is a relationship and has no maximum. Name an attribute of the related objects.")
        #expect(try test.stack.queryAttributes(grouped.having(.count("master") > 1)).count == 2)
        #expect(try test.stack.queryValue(From<Pet>().select(Int.self, .count("master"))) == 4)
    }

    @Test(.pins("CLS-90"), arguments: TestBackend.allCases)
    func `a query groups rows by one or several values`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let grouped = From<Pet>().select(NSDictionary.self, "species", .count(\.$name, as: "n"), .sum(\.$age, as: "s"))
            .groupBy(\.$species).orderBy(.ascending(\.$species))
        #expect(try rows(grouped, test) == ["n=1 s=0", "n=2 s=8 species=cat", "n=2 s=11 species=dog"])
        #expect(try rows(grouped.tweak { $0.fetchLimit = 2 }, test).count == 2)
        #expect(
            try rows(From<Pet>().select(NSDictionary.self, "name").groupBy(GroupBy()).where(\.$age == 3), test) == [
                "name=Ada"
            ])
        let two = From<Pet>().select(NSDictionary.self, "species", "master.name").groupBy("species", "master.name")
            .orderBy(.ascending(\.$species), .ascending("master.name"))
        #expect(
            try rows(two, test) == [
                "", "master.name=Ann species=cat", "master.name=Ann species=dog", "master.name=Ben species=dog",
            ]
        )
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.queryAttributes(
                From<Pet>().select(NSDictionary.self, "name", .count("age")).groupBy("species"))
        }
        #expect(
            error?.storageError?.message
                == "'name' is selected, but it is neither an aggregate nor in 'groupBy'. Add it to 'groupBy'."
        )
    }

    @Test(.pins("CLS-90"), arguments: TestBackend.allCases)
    func `an attribute or id selected with an aggregate is refused unless the query groups by it`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filledWithPets(backend)
        let queries = [
            From<Pet>().select(NSDictionary.self, "name", .count("age")),
            From<Pet>().select(NSDictionary.self, "name", .count("age")).groupBy(GroupBy()),
            From<Pet>().select(NSDictionary.self, .objectID(), .count("age")).groupBy("species"),
            From<Pet>().select(NSDictionary.self, "species", "name").groupBy("species"),
            From<Pet>().select(NSDictionary.self, "master.name").groupBy("species"),
        ]
        for query in queries {
            let error = #expect(throws: CoreStoreError.self) { try test.stack.queryAttributes(query) }
            #expect(error?.storageError?.code == .invalidRequest, "\(query.select)")
        }
        let single = From<Pet>().select(String.self, "name", .count("age")).groupBy("species")
        #expect(throws: CoreStoreError.self) { try test.stack.queryValue(single) }
        // A query for one value of groups returns the value of the first group.
        let groups = From<Pet>().select(Int.self, .sum("age"), "species").groupBy("species")
        #expect(try test.stack.queryValue(groups.orderBy(.ascending("species"))) == 0)
        #expect(try test.stack.queryValue(groups.orderBy(.descending("species"))) == 11)
    }

    @Test(.pins("CLS-91"), arguments: TestBackend.allCases)
    func `a condition on groups selects the matching groups`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        func having(_ predicate: QueryPredicate) throws -> [String] {
            let chain = From<Pet>().select(NSDictionary.self, "species", .count(\.$name, as: "n"))
                .groupBy(\.$species).orderBy(.ascending(\.$species)).tweak { $0.havingPredicate = predicate }
            return try rows(chain, test)
        }
        func compare(_ key: String, _ relation: QueryComparison.Relation, _ value: Value) -> QueryPredicate {
            .comparison(QueryComparison(.keyPath(key), relation, .value(value)))
        }
        #expect(try having(compare("n", .greater, .integer(1))) == ["n=2 species=cat", "n=2 species=dog"])
        #expect(try having(compare("species", .equal, .text("dog"))) == ["n=2 species=dog"])
        #expect(try having(.not(compare("n", .equal, .integer(2)))) == ["n=1"])
        #expect(
            try having(.or([compare("n", .equal, .integer(1)), compare("species", .equal, .text("cat"))])).count == 2)
    }
}
