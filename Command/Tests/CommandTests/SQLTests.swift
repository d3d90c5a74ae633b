import CofferStorage
import Foundation
import Testing

struct SQLTests {
    private let place: Place

    init() throws {
        place = try Place()
        try place.make(place.sqlite("a"), Harbour.model) { _, _ in }
    }

    private func output(_ arguments: String...) throws -> String {
        let outcome =
            arguments.count == 1
            ? try Program.run("sql", place.sqlite("a"), arguments[0])
            : try Program.run("sql", place.sqlite("a"), arguments[0], arguments[1])
        #expect(outcome.errors == "" && outcome.code == 0)
        return outcome.output
    }

    @Test func `sql lists the bound values of a statement`() throws {
        #expect(
            try output("Port", "name == 'Kiel' OR name BEGINSWITH \"O'\"") == """
                SQLite
                  SELECT t0."coffer_key", t0."coffer_version", t0."name" FROM "Port" t0 WHERE t0."name" = ? OR \
                (t0."name" >= ? AND t0."name" < ?) ORDER BY t0."coffer_key"
                  value 1: 'Kiel'
                  value 2: 'O'''
                  value 3: 'O('

                PostgreSQL
                  SELECT t0."coffer_key", t0."coffer_version", t0."name" FROM "Port" t0 WHERE t0."name" = $1 OR \
                (t0."name" >= $2 AND t0."name" < $3)
                  value 1: 'Kiel'
                  value 2: 'O'''
                  value 3: 'O('

                """)
    }

    @Test func `sql names the conditions that are evaluated in memory`() throws {
        #expect(
            try output("Port", "name MATCHES 'K.*' AND name > 'J'") == """
                SQLite
                  SELECT t0."coffer_key", t0."coffer_version", t0."name" FROM "Port" t0 WHERE \
                coffer_text_matches(t0."name", ?, 0) AND t0."name" > ? ORDER BY t0."coffer_key"
                  value 1: 'K.*'
                  value 2: 'J'

                PostgreSQL
                  SELECT t0."coffer_key", t0."coffer_version", t0."name" FROM "Port" t0 WHERE t0."name" > $1 \
                ORDER BY t0."coffer_key"
                  value 1: 'J'
                  The condition is evaluated in memory for these rows. SQL cannot express matches.

                """)
    }

    @Test func `sql without a condition selects all objects`() throws {
        #expect(
            try output("Port") == """
                SQLite
                  SELECT t0."coffer_key", t0."coffer_version", t0."name" FROM "Port" t0 ORDER BY t0."coffer_key"

                PostgreSQL
                  SELECT t0."coffer_key", t0."coffer_version", t0."name" FROM "Port" t0

                """)
    }

    @Test(arguments: [
        ("Boat", "name == 'x'", "The store has no entity 'Boat'. Its entities are 'Ship', 'Ferry', 'Port'."),
        ("Port", "nam == 'x'", "invalidRequest: 'Port' has no property 'nam'. Did you mean 'name'?"),
        (
            "Port", "name ==",
            "invalidRequest: The format string 'name ==' is wrong at column 8: expected a value, found the end."
        ),
    ])
    func `sql prints an invalid request as an error in one line`(
        entity: String, condition: String, message: String
    ) throws {
        let outcome = try Program.run("sql", place.sqlite("a"), entity, condition)
        #expect(outcome == Program.Outcome(output: "", errors: "coffer: \(message)\n", code: 2))
    }
}
