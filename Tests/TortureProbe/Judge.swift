import Coffer
import CofferCLibPQ
import CofferCSQLite
import CofferConfiguration
import CofferStorage
import Foundation

/// Compares a store with the workers' reports and with the rules that every transaction keeps.
///
/// It reads the store twice: with Coffer, and with its own SQL.
enum Judge {
    /// - Parameter isShared: whether the store may have the second version.
    static func check(_ url: String, _ reports: Reports, isShared: Bool) throws {
        let (marks, store) = try lookThroughCoffer(url, migrating: isShared)
        // The transactions of an erased store are deleted with the store.
        let lost = reports.saved.subtracting(marks).filter { reports.stores[$0] == nil || reports.stores[$0] == store }
        guard lost.isEmpty else { throw Failure("Acknowledged and lost: \(lost.sorted().prefix(5)).") }
        let untrue = reports.refused.intersection(marks)
        guard untrue.isEmpty else { throw Failure("Refused and saved: \(untrue.sorted().prefix(5)).") }
        let foreign = marks.filter { reports.stores[$0] ?? store != store }
        guard foreign.isEmpty else { throw Failure("Saved in another store: \(foreign.sorted().prefix(5)).") }
        let erased = Set(reports.stores.values).subtracting([store].compactMap(\.self))
        guard erased.count <= reports.erasures else {
            throw Failure("\(erased.count) stores are missing after \(reports.erasures) erasures: \(erased.sorted()).")
        }
        let strange = marks.subtracting(reports.saved).subtracting(reports.unknown)
        guard strange.isEmpty else { throw Failure("Saved and never reported: \(strange.sorted().prefix(5)).") }
        let (count, wrong) = try lookThroughSQL(url)
        guard count == marks.count else { throw Failure("Coffer reads \(marks.count) marks, SQL reads \(count).") }
        guard wrong.isEmpty else { throw Failure("By SQL: \(wrong.joined(separator: "; ")).") }
    }

    /// Returns the numbers of the stored transactions, and the number of this store's first transaction.
    private static func lookThroughCoffer(_ url: String, migrating: Bool) throws -> (Set<Int>, Int?) {
        let stack = try migrating ? Shop.migratedStack(url) : Shop.stack(url)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        return try stack.perform(synchronous: { reading in
            for order in try reading.fetchAll(From<Order>()) {
                let lines = order.lines
                let total = lines.reduce(0) { $0 + $1.amount }
                guard order.total == total, !lines.isEmpty, order.labelCount == order.labels.count else {
                    throw Failure(
                        "Order \(order.number): total \(order.total) of \(total), \(lines.count) lines, "
                            + "\(order.labelCount) labels of \(order.labels.count).")
                }
                guard lines.allSatisfy({ $0.order == order }), order.labels.allSatisfy({ $0.orders.contains(order) })
                else { throw Failure("Order \(order.number): a related object does not refer to it.") }
            }
            for line in try reading.fetchAll(From<Line>()) where line.order == nil {
                throw Failure("A line has no order.")
            }
            let beginnings = try reading.fetchAll(From<Beginning>()).map(\.number)
            guard beginnings.count < 2 else { throw Failure("A store began \(beginnings.count) times.") }
            return (Set(try reading.fetchAll(From<Mark>()).map(\.number)), beginnings.first)
        })
    }

    /// The rules in SQL: each query lists the objects that violate one rule.
    private static let rules = [
        "the total of an order": """
        SELECT o.number FROM "Order" o WHERE o.total <> \
        (SELECT coalesce(sum(l.amount), 0) FROM "Line" l WHERE l."order" = o.coffer_key)
        """,
        "an order without lines": """
        SELECT o.number FROM "Order" o WHERE NOT EXISTS \
        (SELECT 1 FROM "Line" l WHERE l."order" = o.coffer_key)
        """,
        "a line without an order": """
        SELECT l.coffer_key FROM "Line" l WHERE NOT EXISTS \
        (SELECT 1 FROM "Order" o WHERE o.coffer_key = l."order")
        """,
        "a mark that references a missing order": """
        SELECT m.number FROM "Mark" m WHERE m."order" IS NOT NULL AND NOT EXISTS \
        (SELECT 1 FROM "Order" o WHERE o.coffer_key = m."order")
        """,
    ]

    /// Returns the number of marks, and the rules that are violated.
    private static func lookThroughSQL(_ url: String) throws -> (Int, [String]) {
        let query: (String) throws -> [String]
        var connection: OpaquePointer?
        if url.hasPrefix("sqlite:") {
            let path = url.dropFirst("sqlite://".count).prefix { $0 != "?" }
            guard sqlite3_open_v2(String(path), &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
                throw Failure("SQLite does not open \(path).")
            }
            query = { try column(of: $0, sqlite: connection) }
        } else {
            let server = url.prefix { $0 != "?" }
            let schema = url.split(separator: "=").last ?? ""
            connection = PQconnectdb(String(server))
            query = { try column(of: $0, postgreSQL: connection, schema: String(schema)) }
        }
        defer { if url.hasPrefix("sqlite:") { sqlite3_close(connection) } else { PQfinish(connection) } }
        var wrong: [String] = []
        if url.hasPrefix("sqlite:") {
            let damage = try query("PRAGMA integrity_check")
            if damage != ["ok"] { wrong += damage }
            wrong += try query("PRAGMA foreign_key_check")
        }
        for (rule, text) in rules {
            let broken = try query(text)
            if !broken.isEmpty { wrong.append("\(rule): \(broken.prefix(3).joined(separator: ", "))") }
        }
        return (Int(try query("SELECT count(*) FROM \"Mark\"").first ?? "") ?? -1, wrong)
    }

    private static func column(of text: String, sqlite: OpaquePointer?) throws -> [String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(sqlite, text, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(String(cString: sqlite3_errmsg(sqlite)))
        }
        var values: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "null")
            case SQLITE_DONE: return values
            default: throw Failure(String(cString: sqlite3_errmsg(sqlite)))
            }
        }
    }

    private static func column(of text: String, postgreSQL: OpaquePointer?, schema: String) throws -> [String] {
        let result = PQexec(postgreSQL, "SET search_path = \"\(schema)\"; \(text)")
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else {
            throw Failure(String(cString: PQerrorMessage(postgreSQL)))
        }
        return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
    }
}
