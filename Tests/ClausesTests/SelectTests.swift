import CofferClauses
import CofferSchema
import CofferStorage
import Foundation
import TestSupport
import Testing

struct SelectTests {
    @Test(.pins("CLS-80")) func `a query returns values or rows`() {
        #expect(Select<Dog, Int>("age").selectTerms == ["age"])
        #expect(Select<Dog, NSDictionary>("age", "nick_name").selectTerms == ["age", "nick_name"])
        let rows = NSDictionary.cs_fromQueryResultsNativeType([["age": 3] as NSDictionary, ["age": 4] as [String: Any]])
        #expect(rows.map { $0["age"] as? Int } == [3, 4])
    }

    @Test(.pins("CLS-81")) func `a string literal selects an attribute`() {
        let term: SelectTerm<Dog> = "age"
        #expect(term == .attribute("age"))
        #expect(term == ._attribute("age"))
        #expect(SelectTerm<Dog>(unicodeScalarLiteral: "a") == .attribute("a"))
        #expect(SelectTerm<Dog>(extendedGraphemeClusterLiteral: "é") == .attribute("é"))
    }

    @Test(.pins("CLS-81")) func `columns have default names`() {
        let terms: [SelectTerm<Dog>] = [
            "age", .average("age"), .count("age"), .maximum("age"), .minimum("age"), .sum("age"), .objectID(),
        ]
        #expect(
            terms.map(\.alias)
                == ["age", "average(age)", "count(age)", "max(age)", "min(age)", "sum(age)", "objectID"]
        )
    }

    @Test(.pins("CLS-81")) func `columns can be named`() {
        let terms: [SelectTerm<Dog>] = [
            .average("age", as: "1"), .count("age", as: "2"), .maximum("age", as: "3"), .minimum("age", as: "4"),
            .sum("age", as: "5"), .objectID(as: "6"),
        ]
        #expect(terms.map(\.alias) == ["1", "2", "3", "4", "5", "6"])
    }

    @Test(.pins("CLS-81")) func `select terms can be created from fields`() {
        #expect(SelectTerm<Dog>.attribute(\.$nickname) == "nick_name")
        #expect(SelectTerm<Dog>.average(\.$age) == .average("age"))
        #expect(SelectTerm<Dog>.count(\.$age, as: "n") == .count("age", as: "n"))
        #expect(SelectTerm<Dog>.maximum(\.$age) == .maximum("age"))
        #expect(SelectTerm<Dog>.minimum(\.$age, as: "n") == .minimum("age", as: "n"))
        #expect(SelectTerm<Dog>.sum(\.$age) == .sum("age"))
    }

    @Test(.pins("CLS-82")) func `terms are equal if their kind, key path and name are equal`() {
        #expect(SelectTerm<Dog>.sum("age") != .average("age"))
        #expect(SelectTerm<Dog>.sum("age") != .sum("weight"))
        #expect(SelectTerm<Dog>.sum("age") != .sum("age", as: "total"))
        #expect(SelectTerm<Dog>.objectID() != .objectID(as: "id"))
        #expect(Set<SelectTerm<Dog>>([.sum("age"), .sum(\.$age), .sum("age", as: "sum(age)")]).count == 1)
    }

    @Test(.pins("CLS-82")) func `terms differ by their kind, their function and their declared type`() {
        #expect(SelectTerm<Dog>.attribute("age") != .attribute("weight"))
        #expect(SelectTerm<Dog>.attribute("objectID") != .objectID())
        #expect(SelectTerm<Dog>.attribute("age") != .maximum("age", as: "age"))
        #expect(SelectTerm<Dog>.maximum("age", as: "x") != .minimum("age", as: "x"))
        #expect(
            SelectTerm<Dog>.sum("age")
                != ._aggregate(
                    function: "sum:", keyPath: "age", alias: "sum(age)", nativeType: .integer64AttributeType))
        #expect(!(Select<Dog, Int>("age", "weight") == Select<Dog, Int>("weight", "age")))
    }

    @Test(.pins("CLS-82")) func `selections of different result types are equal if their terms are equal`() {
        #expect(Select<Dog, Int>("age") == Select<Dog, NSDictionary>("age"))
        #expect(!(Select<Dog, Int>("age") == Select<Dog, Int>("weight")))
        #expect(Set([Select<Dog, Int>("age"), Select<Dog, Int>(["age"])]).count == 1)
    }

    @Test(.pins("CLS-83")) func `aggregate terms expose their functions and result types`() {
        func aggregate(_ function: String, _ alias: String, _ type: AttributeType) -> SelectTerm<Dog> {
            ._aggregate(function: function, keyPath: "age", alias: alias, nativeType: type)
        }
        #expect(.average("age") == aggregate("average:", "average(age)", .decimalAttributeType))
        #expect(.count("age") == aggregate("count:", "count(age)", .integer64AttributeType))
        #expect(.maximum("age") == aggregate("max:", "max(age)", .undefinedAttributeType))
        #expect(.minimum("age") == aggregate("min:", "min(age)", .undefinedAttributeType))
        #expect(.sum("age") == aggregate("sum:", "sum(age)", .decimalAttributeType))
        #expect(SelectTerm<Dog>.objectID() == ._identity(alias: "objectID", nativeType: .objectIDAttributeType))
    }

    @Test(.pins("CLS-84")) func `a selection without terms selects ids`() {
        #expect(Select<Dog, ObjectID>().selectTerms == [.objectID()])
    }

    @Test(.pins("CLS-85")) func `a field of a superclass is selected by name or through the superclass`() {
        #expect(SelectTerm<Dog>.attribute("species") == "species")
        #expect(SelectTerm<Animal>.attribute(\.$species) == "species")
    }

    @Test(.pins("CLS-86")) func `a selection keeps its terms in order`() {
        let selected = Select<Dog, Int>(.count("age"), .sum("age"), "age")
        #expect(selected.selectTerms.map(\.alias) == ["count(age)", "sum(age)", "age"])
    }

    @Test(.pins("CLS-10")) func `a single field is a selection`() {
        #expect(Select(\Dog.$age).selectTerms == ["age"])
        #expect(Select<Dog, String>(\.$nickname).selectTerms == ["nick_name"])
        #expect(From<Dog>().select(\.$age).select == Select<Dog, Int>("age"))
        #expect(From<Dog>().select(\.$nickname).select == Select<Dog, String>("nick_name"))
    }
}
