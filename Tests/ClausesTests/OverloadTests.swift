import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation
import Testing

/// Calls of every public overload.
///
/// The tests mainly check that each call compiles without type annotations. Other suites check the results.
struct OverloadTests {
    @Test func `every initialiser and combination of conditions compiles`() {
        let ids = [ClausesModel.annID]
        let maybe: Where<Dog>? = Where(true)
        let void: Void? = nil
        let clauses: [Where<Dog>] = [
            Where(), Where(true), Where(Where(true)), Where(.constant(true)), Where({ $0.$age == 1 }),
            Where("x", isEqualTo: nil), Where("x", isEqualTo: void), Where("x", isEqualTo: 1),
            Where("x", isEqualTo: "x"), Where("x", isEqualTo: Date()), Where("x", isEqualTo: UUID()),
            Where("x", isEqualTo: Mood.calm), Where("x", isEqualTo: Optional(1)), Where("x", isEqualTo: NSNull()),
            Where("x", isEqualTo: NSNumber(value: 1)), Where("x", isEqualTo: ClausesModel.ann),
            Where("x", isEqualTo: Optional(ClausesModel.ann)), Where("x", isEqualTo: ClausesModel.annID),
            Where("x", isMemberOf: [1]), Where("x", isMemberOf: Set(["x"])), Where("x", isMemberOf: [NSNull()]),
            Where("x", isMemberOf: [ClausesModel.ann]), Where("x", isMemberOf: ids),
            Where("x", isMemberOf: [Mood.calm]),
            Where(\.$age, isEqualTo: 1), Where(\.$nickname, isEqualTo: "x"), Where(\.$nickname, isEqualTo: nil),
            Where(\.$age, isEqualTo: nil), Where(\.$master, isEqualTo: ClausesModel.ann),
            Where(\.$master, isEqualTo: nil),
            Where(\.$age, isMemberOf: [1]), Where(\.$nickname, isMemberOf: ["x"]),
            Where(\.$master, isMemberOf: [ClausesModel.ann]), Where(\.$master, isMemberOf: ids),
        ]
        #expect([clauses.combinedByAnd(), clauses.combinedByOr()].count == 2)
        let combined: [Where<Dog>] = [
            clauses[0] && clauses[1], clauses[0] || clauses[1], !clauses[0], clauses[0] &&? maybe,
            maybe &&? clauses[0], clauses[0] ||? maybe, maybe ||? clauses[0],
            \Animal.$species == "x" && \Dog.$age == 1, \Dog.$age == 1 && \Animal.$species == "x",
            \Animal.$species == "x" || \Dog.$age == 1, \Dog.$age == 1 || \Animal.$species == "x",
        ]
        #expect(combined.count == 11)
    }

    @Test func `every operator on key paths compiles`() {
        let clauses: [Where<Dog>] = [
            \.$age == 1, \.$age != 1, [1] ~= \.$age, \.$age < 1, \.$age > 1, \.$age <= 1, \.$age >= 1,
            \.$weight == 1, \.$weight != 1, [1, nil] ~= \.$weight, \.$weight < 1, \.$weight > 1, \.$weight <= 1,
            \.$weight >= 1,
        ]
        let relations: [Where<Dog>] = [
            \.$master == ClausesModel.ann, \.$master == nil, \.$master == Badge(id: ClausesModel.annID),
            \.$master != ClausesModel.ann, \.$master != nil, \.$master != Badge(id: ClausesModel.annID),
            [ClausesModel.ann] ~= \.$master,
        ]
        #expect(clauses.count + relations.count == 21)
    }

    @Test func `every path and every operator on expressions compiles`() {
        let name = \Dog.$master ~ \.$name
        let born = \Dog.$master ~ \.$born
        let date = Date()
        let values: [Where<Dog>] = [
            name == "x", name != "x", ["x"] ~= name, name < "x", name <= "x", name > "x", name >= "x",
        ]
        let optionals: [Where<Dog>] = [
            born == date, born == nil, born != date, born != nil, [date] ~= born, born < date, born <= date,
            born <= nil, born > date, born >= date, born >= nil,
        ]
        let paths: [Where<Dog>] = [
            (\.$master ~ \.$spouse ~ \.$name) == "x", (\.$master ~ \.$pets).count() == 1,
            (\.$master ~ \.$pets ~ \.$age).any() == 1, (\.$master ~ \.$spouse ~ \.$pets).count() == 1,
            (\.$friends ~ \.$age).all() == 1, (\.$friends ~ \.$master ~ \.$pets ~ \.$nickname).none() == "x",
            (\Dog.$friends).count() == 1,
        ]
        #expect(values.count + optionals.count + paths.count == 25)
    }

    @Test func `every step of a fetch compiles`() {
        let from = From<Dog>()
        let starts: [FetchChainBuilder<Dog>] = [
            from.where(\.$age > 1), from.where(\.$age > 10 && \.$nickname == "x"),
            from.where(combineByAnd: Where(true)), from.where(combineByOr: Where(true)),
            from.where { $0.$age > 1 && $0.$nickname == "x" },
            from.where { $0.$species == "x" }, from.orderBy(OrderBy(.ascending("x"))),
            from.orderBy(.ascending(\.$age), .descending("x")), from.orderBy([.ascending(\.$age)]),
            from.tweak { $0.fetchLimit = 1 }, from.appending(Where<Dog>(true)), from.appending(contentsOf: []),
        ]
        let chain = starts[0]
        let steps: [FetchChainBuilder<Dog>] = [
            chain.where(\.$age > 1), chain.where(combineByAnd: Where(true)), chain.where(combineByOr: Where(true)),
            chain.where { $0.$age > 1 }, chain.where { $0.$species == "x" && $0.$age > 1 },
            chain.orderBy(OrderBy(.ascending("x"))), chain.orderBy(.ascending(\.$age), .descending("x")),
            chain.orderBy([.ascending(\.$age)]), chain.tweak { $0.fetchLimit = 1 },
            chain.appending(Tweak { $0.fetchLimit = 1 }), chain.appending(contentsOf: []),
        ]
        #expect(starts.count + steps.count == 23)
    }

    @Test func `every step of a query compiles`() {
        let from = From<Dog>()
        let starts: [QueryChainBuilder<Dog, Int>] = [
            from.select(Select("age")), from.select(Int.self, "age"), from.select(Int.self, .maximum(\.$age), "age"),
            from.select(Int.self, ["age", .sum(\.$age)]), from.select(\.$age),
        ]
        let query = starts[0]
        let steps: [QueryChainBuilder<Dog, Int>] = [
            query.where(\.$age > 1), query.where(combineByAnd: Where(true)), query.where(combineByOr: Where(true)),
            query.where { $0.$age > 1 }, query.where { $0.$species == "x" }, query.orderBy(OrderBy(.ascending("x"))),
            query.orderBy(.ascending(\.$age), .descending("x")), query.orderBy([.ascending(\.$age)]),
            query.tweak { $0.fetchLimit = 1 }, query.groupBy(GroupBy("age")), query.groupBy("age", "x"),
            query.groupBy(["age"]), query.groupBy(\.$age), query.appending(GroupBy<Dog>()),
            query.appending(contentsOf: []),
        ]
        #expect(starts.count + steps.count == 20)
    }
}
