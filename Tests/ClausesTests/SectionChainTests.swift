import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

/// Query chains and section chains accept the clauses of fetch chains.
struct SectionChainTests {
    private let clauses: [any FetchClause] = [Where<Dog>(true), OrderBy<Dog>(.ascending("age"))]

    @Test(.pins("CLS-06")) func `a chain with a section key keeps the order of its clauses`() {
        let sections = From<Dog>("A").sectionBy(\.$mood)
        let sorted = sections.where(\.$age > 3).orderBy(.ascending(\.$mood), .ascending("age"))
            .tweak { $0.fetchLimit = 2 }
        #expect(sections.fetchClauses.isEmpty)
        #expect(sorted.fetchClauses.map { "\(type(of: $0))" } == ["Where<Dog>", "OrderBy<Dog>", "Tweak"])
        #expect(sorted.from.configurations == ["A"])
        #expect(sorted.sectionBy.sectionIndexTransformer("x") == nil)
        let titled = From<Dog>().sectionBy("mood", sectionIndexTransformer: { $0.map { "\($0)!" } })
        #expect(titled.orderBy([.ascending("mood")]).sectionBy.sectionIndexTransformer("x") == "x!")
    }

    @Test(.pins("CLS-07")) func `sections and queries accept conditions in every form`() {
        let (a, b): (Where<Dog>, Where<Dog>) = (\.$age > 3, \.$nickname == "x")
        let (both, either) = ("age > 3 AND nick_name == \"x\"", "age > 3 OR nick_name == \"x\"")
        let sections = From<Dog>().sectionBy("mood")
        let query = From<Dog>().select(Int.self, "age")
        func texts(_ clauses: [any FetchClause]) -> [String] {
            clauses.compactMap { ($0 as? any AnyWhereClause)?.predicate.description }
        }
        #expect(texts(sections.where(a && b).fetchClauses) == [both])
        #expect(texts(sections.where(combineByAnd: a, b).fetchClauses) == [both])
        #expect(texts(sections.where(combineByOr: a, b).fetchClauses) == [either])
        #expect(texts(sections.where { $0.$age > 3 && $0.$nickname == "x" }.fetchClauses) == [both])
        #expect(texts(sections.where(format: "age > %d", 3).fetchClauses) == ["age > 3"])
        #expect(texts(sections.where(format: "age > %@", argumentArray: [3]).fetchClauses) == ["age > 3"])
        #expect(texts(query.where(a && b).queryClauses) == [both])
        #expect(texts(query.where(combineByAnd: a, b).queryClauses) == [both])
        #expect(texts(query.where(combineByOr: a, b).queryClauses) == [either])
        #expect(texts(query.where { $0.$age > 3 && $0.$nickname == "x" }.queryClauses) == [both])
        #expect(texts(query.where(format: "age > %d", 3).queryClauses) == ["age > 3"])
        #expect(texts(query.where(format: "age > %@", argumentArray: [3]).queryClauses) == ["age > 3"])
        #expect(From<Dog>().orderBy(.ascending("age")).where(combineByOr: a, b).conditions == [either])
    }

    @Test(.pins("CLS-09")) func `existing clauses can be appended to sections`() {
        let sections = From<Dog>().sectionBy(\.$mood).appending(clauses[0]).appending(contentsOf: clauses)
        #expect(sections.fetchClauses.map { "\(type(of: $0))" } == ["Where<Dog>", "Where<Dog>", "OrderBy<Dog>"])
        let chain = From<Dog>().where(\.$age > 3).appending(clauses[1]).appending(contentsOf: [])
        #expect(chain.fetchClauses.map { "\(type(of: $0))" } == ["Where<Dog>", "OrderBy<Dog>"])
    }
}
