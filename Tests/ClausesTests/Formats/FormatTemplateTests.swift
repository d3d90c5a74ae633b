import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

/// Templates with variables, and functions that return collections.
struct FormatTemplateTests {
    @Test(.pins("CLS-27")) func `variables are replaced by values`() throws {
        let template = try PredicateFormat(
            "age > $limit AND name IN $names OR SUBQUERY(pets, $p, $p.age > $limit).@count > $p")
        let filled = try template.withSubstitutionVariables(["limit": 3, "names": ["a", "b"], "p": 1])
        #expect(
            filled
                == (try PredicateFormat(
                    "age > 3 AND name IN {'a', 'b'} OR SUBQUERY(pets, $p, $p.age > 3).@count > 1")))
        #expect(try template.withSubstitutionVariables([:]) == template)
    }

    @Test(.pins("CLS-27")) func `a value that a format string cannot represent is refused`() throws {
        let template = try PredicateFormat("age > $limit")
        #expect(throws: FormatEvaluationError.self) { try template.withSubstitutionVariables(["limit": { 1 }]) }
        #expect(
            QueryPredicate(format: template, substitutionVariables: ["limit": 3]) == QueryPredicate(format: "age > 3"))
    }

    @Test(.pins("CLS-27")) func `mode returns every most frequent value`() throws {
        for format in [
            "mode:({1, 2, 2}) == {2}", "mode:({3, 1, 3, 1, 2}) == {3, 1}", "2 IN mode:({1, 2, 2})",
            "mode:({}) == {}",
        ] { #expect(try PredicateFormat(format).evaluate(with: nil), "\(format)") }
    }

    @Test(.pins("FQ-01")) func `predicates have the initialisers of NSPredicate`() {
        #expect(
            QueryPredicate(format: "age > %d AND name == %@", 3, "x")
                == QueryPredicate(format: "age > 3 AND name == 'x'"))
        #expect(QueryPredicate(value: true) == .constant(true))
        #expect(QueryPredicate(value: false) == .constant(false))
    }
}
