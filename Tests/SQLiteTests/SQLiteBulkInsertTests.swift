import CofferCSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// Commits that insert many rows with one statement, compared with commits that insert each row with a statement.
struct SQLiteBulkInsertTests {
    private static func fixture(
        _ statements: Locked<[String]> = Locked([]), maximumPageCount: Int? = nil
    ) throws -> SQLiteFixture {
        try SQLiteFixture(
            settings: SQLiteConfiguration(
                maximumPageCount: maximumPageCount, onStatement: { text in statements.withLock { $0.append(text) } }))
    }

    private func person(_ fixture: SQLiteFixture, _ key: Int64, email: String? = nil) throws -> Row {
        var values: [String: Value] = [
            "name": .text(key % 5 == 0 ? "" : "Ada \u{0} Žofie \(key)"), "age": .integer(key % 2 == 0 ? .min : key),
            "active": .boolean(key % 2 == 0), "photo": .blob(Data((0..<key * 7).map { UInt8($0 % 251) })),
        ]
        if key % 3 != 0 { values["score"] = .double(Double(key) / 3) }
        if key % 4 != 0 { values["born"] = .date(-Double(key)) }
        if key % 5 != 1 { values["balance"] = .decimal(Decimal(key) / 8) }
        if key % 6 == 0 { values["boss"] = .integer(key - 1) }
        if key % 7 == 0 { values["photo"] = .blob(Data()) }
        if let email { values["email"] = .text(email) }
        return try fixture.row("Person", key, values)
    }

    private func commit(_ fixture: SQLiteFixture, _ rows: [Row]) throws -> CommitResult {
        var changes = ChangeSet()
        changes.inserts = rows.map(ChangeSet.Insert.init)
        return try fixture.store.commit(changes)
    }

    /// Returns every row of a table with the storage class and the literal of each column, as SQLite prints them.
    private func contents(_ fixture: SQLiteFixture, _ table: String) throws -> [String] {
        let connection = try connection(fixture)
        let names = try SQLiteStatement("SELECT name FROM pragma_table_info('\(table)')", on: connection)
        var columns: [String] = []
        while try names.step() { columns.append(names.string(0) ?? "") }
        let list = columns.map { "typeof(\"\($0)\") || ' ' || quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
        let rows = try SQLiteStatement("SELECT \(list) FROM \"\(table)\" ORDER BY coffer_key", on: connection)
        var contents: [String] = []
        while try rows.step() { contents.append(rows.string(0) ?? "null") }
        return contents
    }

    private func connection(_ fixture: SQLiteFixture) throws -> SQLiteConnection {
        try SQLiteConnection(
            path: fixture.fileURL.path(percentEncoded: false), access: .write(creates: false),
            options: SQLiteConfiguration())
    }

    @Test func `rows that are inserted together are stored like rows that are inserted one by one`() throws {
        let (together, alone) = (try SQLiteFixture(), try SQLiteFixture())
        _ = try commit(together, (1...60).map { try person(together, $0, email: "e\($0)") })
        for key in 1...60 { _ = try commit(alone, [try person(alone, Int64(key), email: "e\(key)")]) }
        let stored = try contents(together, "Person")
        #expect(stored.count == 60)
        #expect(stored == (try contents(alone, "Person")))
        for key in [Int64(1), 30, 35, 60] {
            let (row, expected) = (try together.row("Person", key), try person(together, key, email: "e\(key)"))
            for column in together.layout.entities[0].columns {
                #expect(together.value(row, column.name) == together.value(expected, column.name), "\(column.name)")
            }
            #expect(row?.version == 1)
        }
        #expect(try connection(together).text("PRAGMA integrity_check") == "ok")
    }

    @Test func `many rows of an entity are inserted by one statement, and few rows by one statement each`() throws {
        let statements = Locked<[String]>([])
        let fixture = try Self.fixture(statements)
        func inserts(_ keys: ClosedRange<Int64>) throws -> Int {
            statements.withLock { $0 = [] }
            _ = try commit(fixture, keys.map { try person(fixture, $0) })
            return statements.withLock { $0.count { $0.hasPrefix("INSERT") } }
        }
        #expect(try inserts(1...7) == 7)
        #expect(try inserts(11...18) == 1)
        #expect(try inserts(100...1100) == 1)
        #expect(try fixture.keys("Person", .constant(true)).count == 7 + 8 + 1001)
    }

    @Test func `each run of rows of one entity is inserted by one statement`() throws {
        let statements = Locked<[String]>([])
        let fixture = try Self.fixture(statements)
        var rows: [Row] = []
        for key in Int64(1)...20 {
            rows.append(try fixture.row("Dog", key, ["name": .text("d"), "tricks": .integer(key)]))
        }
        for key in Int64(21)...40 {
            rows.append(try fixture.row("Cat", key, ["name": .text("c"), "lives": .integer(key)]))
        }
        for key in Int64(41)...44 {
            rows.append(try fixture.row("Dog", key * 2, ["name": .text("e"), "tricks": .integer(key)]))
            rows.append(try fixture.row("Cat", key * 2 + 1, ["name": .text("f")]))
        }
        statements.withLock { $0 = [] }
        _ = try commit(fixture, rows)
        #expect(
            statements.withLock { $0.filter { $0.hasPrefix("INSERT") }.map { $0.contains("FROM coffer_rows") } }
                == [true, true] + Array(repeating: false, count: 8))
        let animals = try fixture.rows(RowRequest(entity: fixture.entity("Animal")))
        #expect(animals.map(\.key) == Array(1...40) + Array(82...89))
        for (row, expected) in zip(animals, rows) {
            #expect(row.entity == expected.entity)
            for name in ["name", "tricks", "lives"] {
                #expect(fixture.value(row, name) == fixture.value(expected, name))
            }
        }
    }

    @Test(arguments: [[25], [1], [50], [3, 4, 5, 40], Array(1...50)] as [[Int64]])
    func `rows with the unique values of stored rows are merged, and the others are inserted`(_ taken: [Int64]) throws {
        let fixture = try SQLiteFixture()
        for key in taken { _ = try commit(fixture, [try person(fixture, key + 1000, email: "e\(key)")]) }
        let result = try commit(fixture, (1...50).map { try person(fixture, $0, email: "e\($0)") })
        #expect(result.merges == taken.map { .init(root: 0, from: $0, into: $0 + 1000) })
        let expected = (1...50).filter { !taken.contains($0) } + taken.map { $0 + 1000 }
        #expect(try fixture.keys("Person", .constant(true)) == expected)
        for key in taken {
            let row = try fixture.row("Person", key + 1000)
            #expect(fixture.value(row, "age") == fixture.value(try person(fixture, key), "age"))
        }
        #expect(try connection(fixture).text("PRAGMA integrity_check") == "ok")
    }

    @Test func `rows with the unique values of earlier rows of the same commit are merged into them`() throws {
        let fixture = try SQLiteFixture()
        let result = try commit(fixture, (1...40).map { try person(fixture, $0, email: "e\(($0 - 1) % 30)") })
        #expect(result.merges == (31...40).map { .init(root: 0, from: $0, into: $0 - 30) })
        #expect(try fixture.keys("Person", .constant(true)) == Array(1...30))
    }

    /// Every third row is new, and every fifth has the unique values of an earlier row of the commit.
    @Test(arguments: [["email"], ["name", "age"], ["score"]])
    func `a mix of new and merged rows is stored like rows of separate commits`(_ constraint: [String]) throws {
        var model = SQLiteFixture.model
        model.entities[0].uniqueConstraints = [constraint]
        let (together, alone) = (try SQLiteFixture(model), try SQLiteFixture(model))
        let texts = ["\"quoted\"", "back\\slash", "nul \u{0}", "", "Žofie", "new\nline"]
        func person(_ key: Int64, _ number: Int) throws -> Row {
            var values: [String: Value] = [
                "name": .text("\(texts[number % 6]) \(number / 4)"), "age": .integer(Int64(number % 4)),
                "active": .boolean(key % 2 == 0), "balance": .decimal(Decimal(key)),
                "email": .text("\(texts[number % 6]) \(number)"), "score": .double(Double(number) / 8),
            ]
            if number == 0 { values["score"] = .double(key % 2 == 0 ? 0 : -0.0) }
            if number % 50 == 7 { for name in ["email", "score"] { values[name] = .null } }
            return try together.row("Person", key, values)
        }
        let stored = try (0..<900).map { try person(Int64($0) + 1, $0) }
        let new = try (0..<1_500).map { index in
            let number = index % 3 == 0 ? 1_000 + index : index % 5 == 0 ? 1_000 + index / 2 : index / 2
            return try person(Int64(index) + 10_000, number)
        }
        for fixture in [together, alone] { _ = try commit(fixture, stored) }
        let result = try commit(together, new)
        var merges: [CommitResult.Merge] = []
        for row in new { merges += try commit(alone, [row]).merges }
        #expect(merges.count > 700)
        #expect(result.merges == merges)
        let contents = try contents(together, "Person")
        #expect(contents == (try self.contents(alone, "Person")))
        for row in result.refreshed {
            let now = try together.row("Person", row.key)
            #expect(now?.version == row.version)
            for column in together.layout.entities[0].columns {
                #expect(together.value(now, column.name) == together.value(row, column.name))
            }
        }
        #expect(result.refreshed.map(\.key) == Set(merges.map(\.into)).sorted())
        #expect(try connection(together).text("PRAGMA integrity_check") == "ok")
    }

    @Test func `runs of new rows among merged rows are inserted by few statements`() throws {
        let statements = Locked<[String]>([])
        let fixture = try Self.fixture(statements)
        _ = try commit(fixture, (1...1_000).map { try person(fixture, $0 * 2, email: "e\($0 * 2)") })
        statements.withLock { $0 = [] }
        let result = try commit(fixture, (1...2_000).map { try person(fixture, $0 + 5_000, email: "e\($0)") })
        #expect(result.merges.count == 1_000)
        let counts = statements.withLock { texts in
            ["INSERT", "SELECT t0", "UPDATE"].map { start in texts.count { $0.hasPrefix(start) } }
        }
        // The first rows are inserted and merged one by one. After that, a part has 512 rows.
        #expect(counts[0] < 30 && counts[1] < 20, "\(counts)")
        #expect(counts[2] == 1_000)
    }

    @Test func `a repeated key throws the same error as for a single row, and nothing is saved`() throws {
        let fixture = try SQLiteFixture()
        _ = try commit(fixture, [try person(fixture, 20)])
        let single = #expect(throws: StorageError.self) { try commit(fixture, [try person(fixture, 20)]) }
        let many = #expect(throws: StorageError.self) {
            try commit(fixture, (1...40).map { try person(fixture, $0) })
        }
        #expect(many?.code == .uniqueViolation)
        #expect(many?.code == single?.code && many?.message == single?.message)
        #expect(try fixture.keys("Person", .constant(true)) == [20])
        _ = try commit(fixture, (21...40).map { try person(fixture, $0) })
        #expect(try fixture.keys("Person", .constant(true)) == Array(20...40))
    }

    @Test func `a full file refuses a large commit as a whole and accepts a smaller commit`() throws {
        let fixture = try Self.fixture(maximumPageCount: 80)
        let error = #expect(throws: StorageError.self) {
            try commit(fixture, (1...400).map { try person(fixture, $0) })
        }
        #expect(error?.code == .full)
        #expect(try fixture.keys("Person", .constant(true)) == [])
        _ = try commit(fixture, (1...10).map { try person(fixture, $0) })
        #expect(try fixture.keys("Person", .constant(true)) == Array(1...10))
    }

    @Test func `rows of a table with a trigger are inserted one by one`() throws {
        let statements = Locked<[String]>([])
        let fixture = try Self.fixture(statements)
        fixture.store.close()
        try SQLiteFixture.execute(
            """
            CREATE TABLE seen (key, email);
            CREATE TRIGGER note AFTER INSERT ON Person BEGIN INSERT INTO seen VALUES (NEW.coffer_key, NEW.email); END;
            CREATE TRIGGER skip BEFORE INSERT ON Person WHEN NEW.coffer_key % 10 = 3
            BEGIN SELECT RAISE(IGNORE); END;
            """, in: fixture.fileURL)
        _ = try fixture.store.open(fixture.layout)
        statements.withLock { $0 = [] }
        let result = try commit(fixture, (1...30).map { try person(fixture, $0, email: "e\($0 % 25)") })
        // The three rows that the trigger ignores are inserted again, as rows whose values no other row has.
        #expect(statements.withLock { $0.count { $0.hasPrefix("INSERT INTO \"Person\"") } } == 30 + 3)
        #expect(result.merges.map(\.from) == [26, 27, 29, 30])
        #expect(
            try connection(fixture).text("SELECT group_concat(key) FROM seen") == (1...25)
                .filter { $0 % 10 != 3 }.map(String.init).joined(separator: ",") + ",28")
    }

    @Test func `large blobs are inserted completely`() throws {
        let fixture = try SQLiteFixture()
        func blob(_ key: Int64) -> Data { Data(repeating: UInt8(key), count: Int(key) * 200_000) }
        _ = try commit(
            fixture, (1...9).map { try fixture.row("Person", $0, ["name": .text("n"), "photo": .blob(blob($0))]) })
        let rows = try fixture.rows(RowRequest(entity: 0))
        #expect(rows.map { fixture.value($0, "photo") } == (1...9).map { .blob(blob($0)) })
    }

    @Test func `the virtual table is empty outside of a commit`() throws {
        let connection = try connection(try SQLiteFixture())
        let table = try #require(SQLiteRowTable.register(on: connection, columnCount: 3))
        #expect(try connection.text("SELECT COUNT(*) FROM coffer_rows") == "0")
        withExtendedLifetime(table) {}
        #expect(throws: StorageError.self) { try connection.execute("INSERT INTO coffer_rows VALUES (1, 2, 3)") }
    }
}
