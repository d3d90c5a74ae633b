import CofferSQL
import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// No request of `PlanShape` reads all tracks if an index can find the rows.
@Suite(.enabled(if: Postgres.url != nil, "set COFFER_POSTGRES_URL")) struct PostgreSQLPlanTests {
    @Test func `requests use the indexes that hand-written SQL uses`() throws {
        let model = try PlanModel()
        let schema = Postgres.newSchema()
        let store = try Postgres.store(schema)
        defer { try? store.erase() }
        _ = try store.open(model.layout)
        let address = try PostgreSQLAddress(Postgres.url ?? "", schema: schema)
        let connection = try PostgreSQLConnection(address, PostgreSQLConfiguration())
        for statement in PlanModel.content { try connection.execute(statement) }
        for table in ["Country", "Artist", "Album", "Track", "Tag", "coffer_link_Tag_tracks"] {
            try connection.execute("ANALYZE \"\(table)\"")
        }
        let queries = SQLQueries(
            SQLSchema(model.layout, naming: PostgreSQLDialect.naming), PostgreSQLDialect())
        for shape in PlanShape.all(model) {
            let byHand = shape.byHand.replacing("+t.name", with: "t.name")
            let rows = try connection.execute(byHand)
            let expected = (0..<rows.rowCount).map { rows.string($0, 0) ?? "NULL" }
            #expect(try answer(shape, store).sorted() == expected.sorted(), "\(shape)")
            let statement = try statement(shape, queries)
            let plan = try self.plan("EXPLAIN " + statement.text, statement.bindings, connection)
            let scans = plan.contains("Seq Scan on \"Track\"") || plan.contains("Seq Scan on \"coffer_link")
            #expect(!scans || shape.mayScan, "\(shape)\n\(plan)\n\(statement.text.prefix(1_000))")
        }
    }

    private func statement(_ shape: PlanShape, _ queries: SQLQueries) throws -> SQLStatement {
        switch shape.request {
        case .rows(let request):
            if let list = try? queries.unorderedRows(request) { return list }
            return try (try? queries.keys(request)) ?? queries.keys(queries.superset(of: request))
        case .count(let request): return try queries.count(request)
        case .values(let request): return try queries.values(request)
        }
    }

    private func plan(
        _ text: String, _ bindings: [Value], _ connection: PostgreSQLConnection
    ) throws -> String {
        let rows = try connection.query(text, PostgreSQLParameters(bindings))
        return (0..<rows.rowCount).map { rows.string($0, 0) ?? "" }.joined(separator: "\n")
    }

    /// Returns the first column of the store's answer.
    private func answer(_ shape: PlanShape, _ store: PostgreSQLStore) throws -> [String] {
        try store.read { reader throws(StorageError) in
            switch shape.request {
            case .rows(let request): try reader.rows(request).map { "\($0.key)" }
            case .count(let request): ["\(try reader.count(request))"]
            case .values(let request):
                try reader.values(request).map { values in
                    switch values[0] {
                    case .integer(let number): "\(number)"
                    case .text(let text): text
                    default: "NULL"
                    }
                }
            }
        }
    }
}
