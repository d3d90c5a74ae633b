import CofferStorage
import Foundation
import Testing

@testable import CofferConformance

struct DifferentialExampleTests {
    @Test func `a disagreement is shrunk to one object and one condition`() throws {
        let fuzzer = DifferentialFuzzer(
            fixtures: [("Sabotaged", NullBlindFixture.self)], seed: 1, limit: .count(2_000), failureLimit: 1,
            shrinkingSeconds: .infinity)
        let failure = try #require(fuzzer.run { _ in }.failures.first)
        #expect(failure.hasPrefix("Sabotaged\n  the rows of "), "\(failure)")
        #expect(failure.components(separatedBy: "\n        .init(").count == 2, "\(failure)")
        #expect(
            failure.contains(/request: \.rows\(RowRequest\(entity: \d+, predicate: \.compare\(.*\)\)\)/), "\(failure)")
        #expect(failure.contains(/again: +COFFER_SEED=\d+ COFFER_CASES=20 COFFER_CASE='computing\/random'/))
    }

    @Test func `an example is printed as the code that creates it`() throws {
        let example = DifferentialExample(
            entities: [
                EntityDescription(
                    name: "A", attributes: [.init(name: "a", type: .decimalAttributeType, isOptional: true)],
                    relationships: [
                        .init(name: "to", destination: "A", inverse: "back", isToMany: true),
                        .init(name: "back", destination: "A", inverse: "to", isToMany: true, isOrdered: true),
                    ])
            ],
            items: [
                .init("A", 1),
                .init("A", 2, ["a": try .decimal("0.25")]),
            ],
            links: [.init(table: 0, first: 1, second: 2, secondPosition: 3)],
            request: .rows(
                RowRequest(
                    entity: 0,
                    predicate: .some(
                        from: [], relationship: 0,
                        .compare(.column(slot: 0, kind: .decimal), .greater, .value(.integer(0)))),
                    order: [.init(.key, ascending: false)], limit: 1)))
        let source = """
            DifferentialExample(
                entities: [
                    EntityDescription(name: "A", attributes: [.init(name: "a", type: .decimalAttributeType, isOptional: true)], relationships: [.init(name: "to", destination: "A", inverse: "back", isToMany: true), .init(name: "back", destination: "A", inverse: "to", isToMany: true, isOrdered: true)])
                ],
                items: [
                    .init("A", 1),
                    .init("A", 2, ["a": try .decimal("0.25")])
                ],
                links: [.init(table: 0, first: 1, second: 2, secondPosition: 3)],
                request: .rows(RowRequest(entity: 0, predicate: .some(from: [], relationship: 0, .compare(.column(slot: 0, kind: .decimal), .greater, .value(.integer(0)))), order: [.init(.key, ascending: false)], limit: 1)))
            """
        #expect(example.source == source)
        #expect(example.mismatch(on: SabotagedFixture.self) == nil)
    }

}

/// A fixture whose store never finds that null equals null.
private struct NullBlindFixture: StorageFixture {
    private let fixture = SabotagedFixture(
        .misreading("never finds null equal to null", caughtBy: "predicates/null-equality") {
            guard case .compare(_, .equal, .value(.null)) = $0 else { return nil }
            return .constant(false)
        })

    func makeStore() -> any StorageInterface { fixture.makeStore() }
    func destroy() {}
}
