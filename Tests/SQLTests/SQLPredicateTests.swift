import CofferSQL
import CofferStorage
import Foundation
import Testing

struct SQLPredicateTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let predicate: RowPredicate
        let sql: String
        var bindings: [Value] = []
    }

    private static let model = SQLTestModel()
    private static let age = model.age, score = model.score

    @Test(arguments: [
        Case(
            testDescription: "a value is bound", predicate: .compare(age, .less, .integer(28)), sql: #"t0."age" < ?"#,
            bindings: [.integer(28)]
        ),
        Case(
            testDescription: "a constant on the left changes sides",
            predicate: .compare(.integer(28), .less, age), sql: #"t0."age" > ?"#, bindings: [.integer(28)]
        ),
        Case(testDescription: "null", predicate: .compare(age, .equal, .value(.null)), sql: #"t0."age" IS NULL"#),
        Case(
            testDescription: "not null", predicate: .compare(age, .notEqual, .value(.null)),
            sql: #"t0."age" IS NOT NULL"#),
        Case(testDescription: "less than null", predicate: .compare(age, .less, .value(.null)), sql: "FALSE"),
        Case(
            testDescription: "not equal is the opposite of equal", predicate: .compare(age, .notEqual, .integer(1)),
            sql: #"t0."age" IS NOT ?"#, bindings: [.integer(1)]
        ),
        Case(testDescription: "two constants", predicate: .compare(.integer(1), .less, .integer(2)), sql: "TRUE"),
        Case(
            testDescription: "null equals null", predicate: .compare(age, .equal, .key),
            sql: #"t0."age" IS t0."coffer_key""#
        ),
        Case(
            testDescription: "numbers of two kinds", predicate: .compare(age, .equal, score),
            sql: #"(exact(t0."age" = t0."score") OR (t0."age" IS NULL AND t0."score" IS NULL))"#
        ),
        Case(
            testDescription: "a whole double is an integer", predicate: .compare(age, .equal, .value(.double(3))),
            sql: #"t0."age" = ?"#, bindings: [.integer(3)]
        ),
        Case(
            testDescription: "a broken double is not", predicate: .compare(age, .less, .value(.double(2.5))),
            sql: #"exact(t0."age" < ?)"#, bindings: [.double(2.5)]
        ),
        Case(testDescription: "text is no number", predicate: .compare(age, .equal, .value(.text("1"))), sql: "FALSE"),
        Case(
            testDescription: "nor is it not one", predicate: .compare(age, .notEqual, .value(.text("1"))), sql: "TRUE"),
        Case(testDescription: "a date is no number", predicate: .compare(age, .less, .value(.date(1))), sql: "FALSE"),
        Case(
            testDescription: "a function",
            predicate: .compare(.function(.add, [age, .integer(1)]), .less, .integer(3)),
            sql: #"add(t0."age", ?) < ?"#, bindings: [.integer(1), .integer(3)]
        ),
        Case(
            testDescription: "a choice",
            predicate: .compare(.conditional(.compare(age, .less, .integer(1)), age, .integer(0)), .equal, .integer(2)),
            sql: #"(CASE WHEN t0."age" < ? THEN t0."age" ELSE ? END) = ?"#,
            bindings: [.integer(1), .integer(0), .integer(2)]
        ),
        Case(
            testDescription: "not", predicate: .not(.compare(age, .less, .integer(1))),
            sql: #"(t0."age" < ?) IS NOT TRUE"#, bindings: [.integer(1)]
        ),
        Case(
            testDescription: "and, or",
            predicate: .or([
                .compare(age, .less, .integer(1)), .and([.compare(age, .greater, .integer(2)), .constant(false)]),
            ]),
            sql: #"t0."age" < ? OR (t0."age" > ? AND FALSE)"#, bindings: [.integer(1), .integer(2)]
        ),
        Case(testDescription: "an empty or", predicate: .or([]), sql: "FALSE"),
        Case(testDescription: "an empty list", predicate: .isIn(age, []), sql: "FALSE"),
        Case(
            testDescription: "a list is padded", predicate: .isIn(age, [.integer(1), .integer(2), .integer(3)]),
            sql: #"t0."age" IN (?, ?, ?, ?)"#, bindings: [.integer(1), .integer(2), .integer(3), .integer(3)]
        ),
        Case(
            testDescription: "what cannot be in a list is left out",
            predicate: .isIn(age, [.text("1"), .double(1.5), .double(2), .null]),
            sql: #"t0."age" IN (?)"#, bindings: [.integer(2)]
        ),
        Case(
            testDescription: "a long list is one binding",
            predicate: .isIn(age, (0..<9).map { .integer($0) }),
            sql: #"t0."age" IN (SELECT value FROM list(?))"#, bindings: [.integer(9)]
        ),
        Case(
            testDescription: "some",
            predicate: .some(from: [], relationship: 0, .compare(model.name, .equal, .value(.text("Rex")))),
            sql: #"EXISTS (SELECT 1 FROM "Animal" t1 WHERE t1."owner" = t0."coffer_key" AND (t1."name" = ?))"#,
            bindings: [.text("Rex")]
        ),
        Case(
            testDescription: "some through links", predicate: .some(from: [], relationship: 1, .constant(true)),
            sql: """
                EXISTS (SELECT 1 FROM "coffer_link_Club_members" l1 JOIN "Club" t2 ON t2."coffer_key" = l1."first" \
                WHERE l1."second" = t0."coffer_key")
                """
        ),
        Case(
            testDescription: "none", predicate: .not(.some(from: [], relationship: 0, .constant(true))),
            sql: #"NOT EXISTS (SELECT 1 FROM "Animal" t1 WHERE t1."owner" = t0."coffer_key")"#
        ),
        Case(
            testDescription: "a count above 0", predicate: .compare(.count(relationship: 0), .greater, .integer(0)),
            sql: #"EXISTS (SELECT 1 FROM "Animal" t1 WHERE t1."owner" = t0."coffer_key")"#
        ),
        Case(
            testDescription: "a count below 1", predicate: .compare(.integer(1), .greater, .count(relationship: 0)),
            sql: #"NOT EXISTS (SELECT 1 FROM "Animal" t1 WHERE t1."owner" = t0."coffer_key")"#
        ),
        Case(
            testDescription: "a page begins at a bound",
            predicate: .or([
                .compare(age, .greater, .integer(5)),
                .and([.compare(age, .equal, .integer(5)), .compare(.key, .greater, .integer(7))]),
            ]),
            sql: #"t0."age" >= ? AND (t0."age" > ? OR (t0."age" = ? AND t0."coffer_key" > ?))"#,
            bindings: [.integer(5), .integer(5), .integer(5), .integer(7)]
        ),
        Case(
            testDescription: "parts with different bounds have no common one",
            predicate: .or([.compare(age, .greater, .integer(5)), .compare(age, .less, .integer(3))]),
            sql: #"t0."age" > ? OR t0."age" < ?"#, bindings: [.integer(5), .integer(3)]
        ),
        Case(
            testDescription: "count", predicate: .compare(.count(relationship: 0), .greater, .integer(2)),
            sql: #"(SELECT COUNT(*) FROM "Animal" t1 WHERE t1."owner" = t0."coffer_key") > ?"#, bindings: [.integer(2)]
        ),
    ])
    func `a condition on persons is translated to SQL`(_ it: Case) throws {
        let statement = try Self.model.requests().keys(RowRequest(entity: Self.model.person, predicate: it.predicate))
        let prefix = #"SELECT t0."coffer_key" FROM "Person" t0 WHERE "#
        #expect(statement.text == prefix + it.sql + #" ORDER BY t0."coffer_key""#)
        #expect(statement.bindings == it.bindings)
    }

    @Test func `a to-one relationship becomes one outer join for each path`() throws {
        let model = Self.model
        let predicate = RowPredicate.and([
            .compare(.through(relationship: model.owner, model.age), .less, .integer(9)),
            .some(from: [model.owner], relationship: model.pets, .isEntity([model.dog])),
        ])
        let statement = try model.requests().keys(RowRequest(entity: model.animal, predicate: predicate))
        #expect(
            statement.text == """
                SELECT t0."coffer_key" FROM "Animal" t0 \
                LEFT JOIN "Person" t0p0 ON t0p0."coffer_key" = t0."owner" WHERE t0p0."age" < ? \
                AND EXISTS (SELECT 1 FROM "Animal" t1 WHERE t1."owner" = t0."owner" AND (t1."coffer_entity" = ?)) \
                ORDER BY t0."coffer_key"
                """
        )
    }

    @Test func `related rows that an index finds come first, if the database does not order joins`() throws {
        let model = Self.model
        let isFifth = RowPredicate.compare(.key, .equal, .integer(5))
        func text(_ entity: Int, _ predicate: RowPredicate) throws -> String {
            let statement = try model.requests(ordersJoins: false).keys(
                RowRequest(entity: entity, predicate: predicate))
            return statement.text.replacing(#" ORDER BY t0."coffer_key""#, with: "")
        }
        let byOwner = RowPredicate.compare(.through(relationship: model.owner, .key), .equal, .integer(5))
        let animals = #"SELECT t0."coffer_key" FROM "Animal" t0 WHERE "#
        let owners = #"t0."owner" IN (SELECT t1."coffer_key" FROM "Person" t1 WHERE t1."coffer_key" = ?)"#
        #expect(try text(model.animal, byOwner) == animals + owners)
        #expect(try text(model.animal, .not(byOwner)) == "\(animals)(\(owners)) IS NOT TRUE")
        let persons = #"SELECT t0."coffer_key" FROM "Person" t0 WHERE "#
        #expect(
            try text(model.person, .some(from: [], relationship: model.pets, isFifth)) == persons
                + #"t0."coffer_key" IN (SELECT t1."owner" FROM "Animal" t1 WHERE t1."coffer_key" = ?)"#)
        #expect(
            try text(model.person, .some(from: [], relationship: 1, isFifth)) == persons
                + #"t0."coffer_key" IN (SELECT l2."second" FROM "coffer_link_Club_members" l2 JOIN "Club" t1 "#
                + #"ON t1."coffer_key" = l2."first" WHERE t1."coffer_key" = ?)"#)
        // No index finds the animals with a name. Null is also the value of an object that does not exist.
        let named = RowPredicate.some(
            from: [], relationship: model.pets, .compare(model.name, .equal, .value(.text("Rex"))))
        #expect(try text(model.person, named).contains("EXISTS"))
        let isNull = RowPredicate.compare(.through(relationship: model.owner, model.age), .equal, .value(.null))
        #expect(
            try text(model.animal, isNull).hasSuffix(
                #"LEFT JOIN "Person" t0p0 ON t0p0."coffer_key" = t0."owner" "#
                    + #"WHERE t0p0."age" IS NULL"#))
    }

    @Test func `all conditions on the object of one relationship share one subquery`() throws {
        let model = Self.model
        func ofOwner(_ comparison: RowPredicate.Comparison, _ number: Int64) -> RowPredicate {
            .compare(.through(relationship: model.owner, .key), comparison, .integer(number))
        }
        let name = RowPredicate.compare(model.name, .equal, .value(.text("Rex")))
        let some = RowPredicate.and([ofOwner(.equal, 5), name, ofOwner(.less, 9)])
        let all = RowPredicate.and([ofOwner(.equal, 5), ofOwner(.less, 9)])
        let requests = try model.requests(ordersJoins: false)
        let inner = #"SELECT t1."coffer_key" FROM "Person" t1 WHERE t1."coffer_key" = ? AND t1."coffer_key" < ?"#
        let start = #"SELECT t0."coffer_key" FROM "Animal" t0 WHERE "#
        let member = #"t0."owner" IN (\#(inner))"#
        let end = #" ORDER BY t0."coffer_key""#
        let ofAll = try requests.keys(RowRequest(entity: model.animal, predicate: all)).text
        #expect(ofAll == start + member + end)
        let ofSome = try requests.keys(RowRequest(entity: model.animal, predicate: some)).text
        #expect(ofSome == "\(start)(\(member)) AND t0.\"name\" = ?\(end)")
        // The two ranges are not ranges of keys. The statement has no index and no recursion.
        let ages = RowPredicate.and([
            .compare(.through(relationship: model.owner, model.age), .less, .integer(9)),
            .compare(.through(relationship: model.owner, model.age), .greater, .integer(1)),
        ])
        #expect(
            try requests.keys(RowRequest(entity: model.animal, predicate: ages)).text.contains(
                #"WHERE t0p0."age" < ? AND t0p0."age" > ?"#))
    }

    @Test func `a path in a condition on related objects is joined in the subquery`() throws {
        let model = Self.model
        let ofOwner = RowExpression.through(relationship: model.owner, model.age)
        let predicate = RowPredicate.some(
            from: [], relationship: model.pets,
            .and([
                .compare(ofOwner, .less, .integer(9)), .compare(ofOwner, .equal, .outer(model.age)),
            ]))
        let request = RowRequest(
            entity: model.person, predicate: predicate, order: [RowSort(model.score, ascending: true)])
        #expect(
            try model.requests().keys(request).text == """
                SELECT t0."coffer_key" FROM "Person" t0 WHERE EXISTS (SELECT 1 FROM "Animal" t1 \
                LEFT JOIN "Person" t1p0 ON t1p0."coffer_key" = t1."owner" \
                WHERE t1."owner" = t0."coffer_key" AND (t1p0."age" < ? AND t1p0."age" IS t0."age")) \
                ORDER BY t0."score", t0."coffer_key"
                """
        )
    }

    @Test func `an order and a condition share the joined table of a path`() throws {
        let model = Self.model
        let age = RowExpression.through(relationship: model.owner, model.age)
        let request = RowRequest(
            entity: model.animal, predicate: .compare(age, .notEqual, .value(.null)),
            order: [RowSort(age, ascending: false)])
        #expect(
            try model.requests().keys(request).text == """
                SELECT t0."coffer_key" FROM "Animal" t0 LEFT JOIN "Person" t0p0 ON t0p0."coffer_key" = t0."owner" \
                WHERE t0p0."age" IS NOT NULL ORDER BY t0p0."age" DESC, t0."coffer_key"
                """
        )
    }

    @Test func `a long chain of conditions becomes a balanced expression`() throws {
        let parts = (0..<1000).map { RowPredicate.compare(Self.age, .equal, .integer($0)) }
        let text = try Self.model.requests().keys(RowRequest(entity: 0, predicate: .or(parts))).text
        #expect(text.contains("WHERE (((((t0"))
    }
}

extension RowExpression {
    static func integer(_ number: Int64) -> RowExpression { .value(.integer(number)) }
}
