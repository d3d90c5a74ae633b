import CofferSQL
import CofferStorage
import Testing

@testable import CofferPostgreSQL

struct PostgreSQLDialectTests {
    private let name = RowExpression.column(slot: 0, kind: .text)
    private let age = RowExpression.column(slot: 1, kind: .integer)
    private let weight = RowExpression.column(slot: 2, kind: .double)

    private func requests() throws -> SQLQueries {
        let model = StoreModel(
            version: "V1",
            entities: [
                EntityDescription(
                    name: "Person",
                    attributes: [
                        .init(name: "name", type: .stringAttributeType, isOptional: true),
                        .init(name: "age", type: .integer64AttributeType, isOptional: true),
                        .init(name: "weight", type: .doubleAttributeType, isOptional: true),
                    ])
            ])
        return SQLQueries(SQLSchema(try ModelLayout(model), naming: PostgreSQLDialect.naming), PostgreSQLDialect())
    }

    private func keys(_ predicate: RowPredicate) throws -> String {
        let text = try requests().keys(RowRequest(entity: 0, predicate: predicate)).text
        let (start, end) = ("SELECT t0.\"coffer_key\" FROM \"Person\" t0 WHERE ", " ORDER BY t0.\"coffer_key\"")
        return String(text.dropFirst(start.count).dropLast(end.count))
    }

    @Test func `equal values share a parameter`() throws {
        let predicate = RowPredicate.or([
            .compare(age, .greater, .value(.integer(3))), .compare(age, .less, .value(.integer(3))),
        ])
        #expect(try keys(predicate) == #"t0."age" > $1 OR t0."age" < $1"#)
    }

    @Test func `null comes first in ascending order and last in descending order`() throws {
        let order = [RowSort(name, ascending: true), RowSort(age, ascending: false)]
        #expect(
            try requests().keys(RowRequest(entity: 0, order: order, offset: 2, limit: 5)).text == """
                SELECT t0."coffer_key" FROM "Person" t0 \
                ORDER BY t0."name" NULLS FIRST, t0."age" DESC NULLS LAST, t0."coffer_key" LIMIT $1 OFFSET $2
                """)
    }

    @Test func `strings are compared by their bytes`() throws {
        #expect(
            try keys(.text(name, .contains, .value(.text("n")), [])) == """
                (strpos(t0."name" COLLATE "C", $1 COLLATE "C") > 0 AND $1 COLLATE "C" <> '')
                """)
    }

    @Test func `arithmetic with integers uses integers`() throws {
        let twice = RowExpression.function(.multiply, [age, .value(.integer(2))])
        #expect(try keys(.compare(twice, .less, .value(.integer(9)))) == #"(t0."age" * $1) < $2"#)
    }

    @Test(
        arguments: [
            (.text(.column(slot: 0, kind: .text), .like, .value(.text("a*")), []), "like"),
            (.text(.column(slot: 0, kind: .text), .equal, .value(.text("a")), .caseInsensitive), "equal[c]"),
            (
                .compare(
                    .function(.power, [.column(slot: 2, kind: .double), .value(.integer(2))]), .less, .value(.double(1))
                ),
                "power"
            ),
        ] as [(RowPredicate, String)])
    func `an expression that the server cannot compute exactly is not supported`(
        _ predicate: RowPredicate, _ what: String
    ) throws {
        #expect(throws: SQLUnsupportedExpression(what: what)) { try keys(predicate) }
    }

    @Test func `the supported parts of a condition are evaluated by the server`() throws {
        let adult = RowPredicate.compare(age, .greaterOrEqual, .value(.integer(18)))
        let request = RowRequest(
            entity: 0, predicate: .and([adult, .text(name, .like, .value(.text("a*")), [])]), limit: 3)
        #expect(try requests().superset(of: request) == RowRequest(entity: 0, predicate: .and([adult])))
    }
}
