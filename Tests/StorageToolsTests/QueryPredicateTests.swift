import CofferStorage
import CofferStorageTools
import Testing

/// Conditions as strings, and the depth of their nesting.
struct QueryPredicateTests {
    private static func isAt(_ value: Int64) -> QueryPredicate {
        .comparison(QueryComparison(.keyPath("age"), .equal, .value(.integer(value))))
    }

    @Test(
        arguments: [
            (.constant(true), "TRUEPREDICATE"), (.constant(false), "FALSEPREDICATE"),
            (.and([]), "TRUEPREDICATE"), (.or([]), "FALSEPREDICATE"),
            (.and([isAt(1), isAt(2)]), "age == 1 AND age == 2"),
            (.and([.or([isAt(1), isAt(2)]), isAt(3)]), "(age == 1 OR age == 2) AND age == 3"),
            (.or([.and([isAt(1), isAt(2)]), isAt(3)]), "(age == 1 AND age == 2) OR age == 3"),
            (.not(.or([isAt(1), isAt(2)])), "NOT (age == 1 OR age == 2)"),
            (
                .comparison(
                    QueryComparison(
                        .keyPath("pets.name"), .beginsWith, .value(.text("a\"b")), quantifier: .any,
                        options: .caseInsensitive)),
                #"ANY pets.name BEGINSWITH[c] "a\"b""#
            ),
            (
                .comparison(QueryComparison(.evaluatedObject, .isIn, .values([.integer(1), .null]))), "SELF IN {1, nil}"
            ),
            (
                .comparison(
                    QueryComparison(
                        .conditional(isAt(1), .keyPath("a"), .now), .greater,
                        .function(.add, [.keyPath("b"), .outer(.keyPath("c"))]))),
                "TERNARY(age == 1, a, now()) > add(b, outer c)"
            ),
        ] as [(QueryPredicate, String)])
    func `a condition is described as a format string`(_ predicate: QueryPredicate, _ text: String) {
        #expect(predicate.description == text)
    }

    @Test func `conditions that one operator combines are on one level`() {
        var deep = Self.isAt(0)
        for value in 1...10_000 { deep = .and([deep, Self.isAt(Int64(value))]) }
        #expect(deep.depth() == 3)
        #expect(deep.flatParts == (0...10_000).map { Self.isAt($0) })
        #expect(throws: Never.self) { try deep.requireDepth() }
        #expect(Self.isAt(1).flatParts == [Self.isAt(1)])
    }

    @Test func `a condition of more than a hundred levels is refused`() {
        func nested(_ levels: Int) -> QueryPredicate { (2..<levels).reduce(Self.isAt(0)) { part, _ in .not(part) } }
        #expect(nested(100).depth() == 100)
        #expect(throws: Never.self) { try nested(100).requireDepth() }
        let error = #expect(throws: StorageError.self) { try nested(101).requireDepth() }
        #expect(error?.code == .invalidRequest)

        let expression = (0..<200).reduce(QueryExpression.keyPath("age")) { value, _ in .function(.negate, [value]) }
        #expect(throws: StorageError.self) { try expression.requireDepth() }
        let inside = QueryPredicate.comparison(QueryComparison(.value(.null), .equal, expression))
        #expect(throws: StorageError.self) { try inside.requireDepth() }
    }
}
