import CofferClauses
import CofferSchema
import CofferStorage
import Foundation
import TestSupport
import Testing

struct ChainTests {
    @Test(.pins("CLS-06")) func `a chain is a value that keeps the order of its clauses`() {
        let adults = From<Dog>("A").where(\.$age > 3)
        let sorted = adults.orderBy(.ascending(\.$age)).tweak { $0.fetchLimit = 2 }
        #expect(adults.fetchClauses.count == 1)
        #expect(sorted.fetchClauses.map { "\(type(of: $0))" } == ["Where<Dog>", "OrderBy<Dog>", "Tweak"])
        #expect(sorted.from.configurations == ["A"])
    }

    @Test(.pins("CLS-06")) func `a chain with a selection is a query`() {
        let query = From<Dog>().select(NSDictionary.self, .attribute(\.$age), .count("age")).groupBy(\.$age)
            .where(\.$age > 3).orderBy(.descending("age")).tweak { $0.fetchLimit = 2 }
        #expect(query.select.selectTerms == ["age", .count("age")])
        #expect(
            query.queryClauses.map { "\(type(of: $0))" } == ["GroupBy<Dog>", "Where<Dog>", "OrderBy<Dog>", "Tweak"]
        )
    }

    @Test(.pins("CLS-07")) func `conditions are combined with and, combined with or, or written in a closure`() {
        let (a, b): (Where<Dog>, Where<Dog>) = (\.$age > 3, \.$nickname == "x")
        #expect(From<Dog>().where(combineByAnd: a, b).conditions == ["age > 3 AND nick_name == \"x\""])
        #expect(From<Dog>().where(combineByOr: a, b).conditions == ["age > 3 OR nick_name == \"x\""])
        let closure = From<Dog>().where { $0.$age > 3 && $0.$nickname == "x" }
        #expect(closure.conditions == ["age > 3 AND nick_name == \"x\""])
    }

    @Test(.pins("CLS-09")) func `existing clauses can be appended to a chain`() {
        let fetch: [any FetchClause] = [Where<Dog>(true), OrderBy<Dog>(.ascending("age"))]
        let query: [any QueryClause] = [Where<Dog>(true), GroupBy<Dog>("age")]
        #expect(From<Dog>().appending(fetch[0]).appending(contentsOf: fetch).fetchClauses.count == 3)
        #expect(From<Dog>().appending(contentsOf: fetch).fetchClauses.count == 2)
        let select = From<Dog>().select(Int.self, "age")
        #expect(select.appending(query[0]).appending(contentsOf: query).queryClauses.count == 3)
    }

    @Test(.pins("CLS-07")) func `a chain accepts conditions in every form after another clause`() {
        let (a, b): (Where<Dog>, Where<Dog>) = (\.$age > 3, \.$nickname == "x")
        let (both, either) = ("age > 3 AND nick_name == \"x\"", "age > 3 OR nick_name == \"x\"")
        let chain = From<Dog>().orderBy(.ascending("age"))
        #expect(chain.where(a && b).conditions == [both])
        #expect(chain.where(combineByAnd: a, b).conditions == [both])
        #expect(chain.where(combineByOr: a, b).conditions == [either])
        #expect(chain.where { $0.$age > 3 && $0.$nickname == "x" }.conditions == [both])
        #expect(chain.where(format: "age > %d AND nick_name == %s", 3, "x").conditions == [both])
        #expect(chain.where(format: "age > %@", argumentArray: [3]).conditions == ["age > 3"])
    }

    @Test(.pins("CLS-06", "CLS-09")) func `appending returns another chain, whose clauses keep their order`() {
        let query = From<Dog>().select(Int.self, "age").orderBy(.ascending("age"))
        let more: [any QueryClause] = [Where<Dog>(true), Tweak { _ in }]
        let longer = query.appending(GroupBy<Dog>("age")).appending(contentsOf: more)
        #expect(query.queryClauses.map { "\(type(of: $0))" } == ["OrderBy<Dog>"])
        #expect(
            longer.queryClauses.map { "\(type(of: $0))" } == ["OrderBy<Dog>", "GroupBy<Dog>", "Where<Dog>", "Tweak"])
        let fetch = From<Dog>().tweak { _ in }
        #expect(fetch.appending(Where<Dog>(true)).fetchClauses.map { "\(type(of: $0))" } == ["Tweak", "Where<Dog>"])
        #expect(fetch.fetchClauses.count == 1)
    }
}
