import CofferCSQLite
import CofferSQL
import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// Rows that `coffer_row` creates inside of SQLite, compared with rows that are read column by column.
struct SQLiteRowFunctionTests {
    private let fixture: SQLiteFixture
    private let tables: SQLiteTables
    private let person: Int

    init() throws {
        fixture = try SQLiteFixture()
        tables = SQLiteTables(SQLSchema(fixture.layout))
        person = fixture.entity("Person")
    }

    private func connection() throws -> SQLiteConnection {
        try SQLiteConnection(
            path: fixture.fileURL.path(percentEncoded: false), access: .write(creates: false),
            options: SQLiteConfiguration())
    }

    /// Adds people whose ages repeat and are in no order.
    private func addPeople(_ count: Int64) throws {
        var changes = ChangeSet()
        for key in 1...count {
            let row = try fixture.row(
                "Person", key,
                [
                    "name": .text("name \(key * 7919 % 13)"), "age": .integer(key * 7919 % 101),
                    "score": key % 3 == 0 ? .null : .double(Double(key) / 8), "active": .boolean(key % 2 == 0),
                    "photo": .blob(Data(repeating: UInt8(key % 251), count: Int(key % 40))),
                ])
            changes.inserts.append(.init(row: row))
        }
        _ = try fixture.store.commit(changes)
    }

    private func execute(_ sql: String) throws { try SQLiteFixture.execute(sql, in: fixture.fileURL) }

    private func order(_ name: String, ascending: Bool = true) -> RowSort {
        RowSort(fixture.column("Person", name), ascending: ascending)
    }

    /// Returns all rows, read with the function or column by column.
    private func rows(byColumns: Bool) throws -> [Row] {
        let connection = try connection()
        let text = try tables.queries.rows(RowRequest(entity: person)).text
        let decoder = tables.decoders[person]
        let statement =
            byColumns
            ? try connection.columnStatement(text) : try connection.rowStatement(text, decoder)
        #expect((statement.sink == nil) == byColumns)
        defer { statement.reset() }
        var rows: [Row] = []
        #expect(try decoder.forEachRow(statement) { rows.append($0) })
        return rows
    }

    private func values(_ row: Row) -> [Value] {
        fixture.layout.entities[row.entity].kinds.enumerated().map { row.value($0, $1) }
    }

    // MARK: Values

    @Test(arguments: [
        ("name", "'Ada'", Value.text("Ada")), ("name", "12", .text("12")), ("name", "1.5", .text("1.5")),
        ("name", "x'416461'", .text("Ada")), ("name", "''", .text("")),
        ("name", "CAST(x'ff41' AS TEXT)", .text("\u{FFFD}A")), ("name", "CAST(x'410042' AS TEXT)", .text("A\0B")),
        ("age", "7", .integer(7)), ("age", "-9223372036854775808", .integer(.min)), ("age", "7.0", .integer(7)),
        ("age", "'7'", .integer(7)), ("score", "2", .double(2)), ("score", "-0.0", .double(0)),
        ("score", "9e999", .double(.infinity)), ("score", "NULL", .null), ("active", "2", .boolean(true)),
        ("active", "0", .boolean(false)), ("active", "1.0", .boolean(true)), ("born", "-1.25", .date(-1.25)),
        ("born", "3", .date(3)), ("balance", "'12.50'", .decimal(Decimal(string: "12.5") ?? 0)),
        ("balance", "3", .decimal(3)), ("photo", "x'00ff'", .blob(Data([0, 255]))), ("photo", "x''", .blob(Data())),
        ("photo", "'AB'", .blob(Data([65, 66]))), ("photo", "zeroblob(3)", .blob(Data(count: 3))),
    ])
    func `a stored value of any storage class is read as its column's kind`(
        _ column: String, _ literal: String, _ expected: Value
    ) throws {
        try addPeople(1)
        try execute("UPDATE Person SET \(column) = \(literal)")
        for byColumns in [false, true] {
            let row = try #require(try rows(byColumns: byColumns).first)
            #expect(fixture.value(row, column) == expected)
            #expect(row.key == 1)
        }
    }

    @Test(arguments: [
        ("age", "'many'", "integer"), ("age", "7.5", "integer"), ("age", "x'07'", "integer"),
        ("score", "'x'", "double"), ("score", "x'00'", "double"), ("active", "'yes'", "boolean"),
        ("born", "'today'", "date"), ("balance", "'a lot'", "decimal"),
    ])
    func `a value of the wrong kind throws an error that names its column`(
        _ column: String, _ literal: String, _ kind: String
    ) throws {
        try addPeople(3)
        try execute("UPDATE Person SET \(column) = \(literal) WHERE coffer_key = 2")
        let message =
            "'Person.\(column)' of row 2 has a value that does not fit its kind, \(kind). Correct or remove the value."
        for byColumns in [false, true] {
            let error = #expect(throws: StorageError.self) { try rows(byColumns: byColumns) }
            #expect(error?.code == .invalidValue)
            #expect(error?.message == message)
        }
    }

    @Test func `reading packed rows and reading column by column return the same rows`() throws {
        try addPeople(300)
        let (packed, columns) = (try rows(byColumns: false), try rows(byColumns: true))
        #expect(packed.map(values) == columns.map(values))
        #expect(packed.map(\.key) == Array(1...300))
        #expect(packed.map(\.version) == columns.map(\.version))
    }

    @Test func `a large blob and an empty blob are read completely`() throws {
        let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try fixture.insert(
            fixture.row("Person", 1, ["name": .text("a"), "photo": .blob(large)]),
            fixture.row("Person", 2, ["name": .text("b"), "photo": .blob(Data())]))
        #expect(try rows(byColumns: false).map { fixture.value($0, "photo") } == [.blob(large), .blob(Data())])
    }

    @Test func `a row of an unknown entity throws an error that names the entity`() throws {
        try fixture.insert(fixture.row("Dog", 1, ["name": .text("Rex")]), fixture.row("Cat", 2, ["name": .text("Tom")]))
        let animals = RowRequest(entity: fixture.entity("Animal"))
        #expect(try fixture.rows(animals).map { fixture.value($0, "name") } == [.text("Rex"), .text("Tom")])
        try execute("UPDATE Animal SET coffer_entity = 'Fish' WHERE coffer_key = 2")
        let error = #expect(throws: StorageError.self) { try fixture.rows(animals) }
        #expect(error?.message.hasPrefix("Row 2 of 'Animal' has the entity 'Fish'") == true)
    }

    @Test func `an entity with more columns than a function may have arguments is read column by column`() throws {
        let names = (0..<200).map { "a\($0)" }
        let model = StoreModel(
            version: "V1",
            entities: [
                .init(name: "Wide", attributes: names.map { .init(name: $0, type: .integer64AttributeType) })
            ])
        let fixture = try SQLiteFixture(model)
        var values: [String: Value] = [:]
        for (index, name) in names.enumerated() { values[name] = .integer(Int64(index * 3)) }
        try fixture.insert(fixture.row("Wide", 1, values))
        let row = try #require(try fixture.rows(RowRequest(entity: 0)).first)
        for name in names { #expect(fixture.value(row, name) == values[name]) }
    }

    // MARK: Orders and limits

    @Test(arguments: [(nil, 0), (10, 0), (7, 5), (nil, 290), (1, 0), (0, 0), (1000, 3)] as [(Int?, Int)])
    func `a request with an order returns sorted rows, with any limit and offset`(_ limit: Int?, _ offset: Int) throws {
        try addPeople(300)
        for names in [["age"], ["name"], ["name", "age"], ["score", "name"]] {
            for ascending in [true, false] {
                let request = RowRequest(
                    entity: person, order: names.map { order($0, ascending: ascending) }, offset: offset, limit: limit)
                // A plain statement returns the order of SQLite itself.
                let sorts = names.map { "\($0)\(ascending ? "" : " DESC")" } + ["coffer_key"]
                let statement = try SQLiteStatement(
                    "SELECT coffer_key FROM Person ORDER BY \(sorts.joined(separator: ", "))"
                        + " LIMIT \(limit ?? -1) OFFSET \(offset)", on: connection())
                var expected: [Int64] = []
                while try statement.step() { expected.append(statement.integer(0)) }
                for _ in 0..<2 {
                    let rows = try fixture.rows(request)
                    #expect(rows.map(\.key) == expected)
                    #expect(rows.allSatisfy { fixture.value($0, "age") == .integer($0.key * 7919 % 101) })
                }
            }
        }
    }

    @Test func `a statement that sorts for a limit creates only the rows that it returns`() throws {
        try addPeople(100)
        let connection = try connection()
        let decoder = tables.decoders[person]
        let sorted = try tables.queries.rows(RowRequest(entity: person, order: [order("age")], limit: 5))
        let statement = try connection.rowStatement(sorted.text, decoder)
        try statement.bind(sorted.bindings)
        #expect(try !decoder.forEachRow(statement, isLimited: true) { _ in Issue.record("a row") })
        #expect(statement.sink?.hasRefusedToSort == true)
        statement.reset()
        let reader = SQLiteReader(tables, connection)
        let request = RowRequest(entity: person, order: [order("age")], limit: 5)
        #expect(try reader.rows(request).map(\.key) == reader.rows(request).map(\.key))
        #expect(try connection.rowStatement(sorted.text, decoder).sink == nil)
        let indexed = try tables.queries.rows(RowRequest(entity: person, order: [order("name")], limit: 5))
        _ = try reader.rows(RowRequest(entity: person, order: [order("name")], limit: 5))
        #expect(try connection.rowStatement(indexed.text, decoder).sink != nil)
    }

    @Test func `a sorted request fails at the row with the invalid value`() throws {
        try addPeople(50)
        try execute("UPDATE Person SET score = 'x' WHERE coffer_key IN (11, 12)")
        let reader = SQLiteReader(tables, try connection())
        var seen: [Int64] = []
        let error = #expect(throws: StorageError.self) {
            try reader.forEachRow(RowRequest(entity: person, order: [order("age")])) { seen.append($0.key) }
        }
        let ages = (1...50).sorted { ($0 * 7919 % 101, $0) < ($1 * 7919 % 101, $1) }
        let first = try #require(ages.firstIndex { $0 == 11 || $0 == 12 })
        #expect(seen == ages[..<first].map(Int64.init))
        #expect(error?.message.contains("row \(ages[first]) ") == true)
        let skipping = RowRequest(entity: person, order: [order("age")], offset: 0, limit: first)
        #expect(try reader.rows(skipping).count == first)
    }

    // MARK: Runs that end early

    @Test(arguments: [false, true])
    func `an interrupted statement throws, and the next request succeeds`(_ isSorted: Bool) throws {
        try addPeople(200)
        let connection = try connection()
        let reader = SQLiteReader(tables, connection)
        let request = RowRequest(entity: person, order: isSorted ? [order("age")] : [])
        var count = 0
        let error = #expect(throws: StorageError.self) {
            try reader.forEachRow(request) { _ in
                count += 1
                if count == 10 { sqlite3_interrupt(connection.handle) }
            }
        }
        #expect(error?.code == .failed)
        #expect(error?.message.hasSuffix("zoo.sqlite' was interrupted. Try again.") == true)
        #expect(count == 10)
        #expect(try reader.rows(request).count == 200)
    }

    @Test func `a damaged page throws an error after the rows that precede it`() throws {
        try addPeople(5000)
        fixture.store.close()
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try execute("PRAGMA journal_mode = DELETE")
        let connection = try connection()
        let sizes = try ["page_size", "page_count"].compactMap { Int(try connection.text("PRAGMA \($0)") ?? "") }
        let file = try FileHandle(forUpdating: fixture.fileURL)
        for page in stride(from: sizes[1] / 2, to: sizes[1] / 2 + 8, by: 1) {
            try file.seek(toOffset: UInt64(page * sizes[0]))
            try file.write(contentsOf: Data(repeating: 0xEE, count: sizes[0]))
        }
        try file.close()
        let columns = try SQLiteStatement("SELECT coffer_key, photo FROM Person ORDER BY coffer_key", on: connection)
        var expected: [Int64] = []
        let plain = #expect(throws: StorageError.self) {
            while try columns.step() { expected.append(columns.integer(0)) }
        }
        let reader = SQLiteReader(tables, try self.connection())
        var seen: [Int64] = []
        let error = #expect(throws: StorageError.self) {
            try reader.forEachRow(RowRequest(entity: person)) { seen.append($0.key) }
        }
        #expect(error?.code == .corrupt)
        #expect(error?.message == plain?.message)
        #expect(seen == expected)
        #expect(!seen.isEmpty)
    }

    @Test func `a request within another request on the same connection does not disturb it`() throws {
        try addPeople(30)
        let reader = SQLiteReader(tables, try connection())
        for request in [RowRequest(entity: person), RowRequest(entity: person, order: [order("age")])] {
            let expected = try reader.rows(request).map(\.key)
            var keys: [Int64] = []
            try reader.forEachRow(request) { row in
                let inner = try? reader.rows(request).map(\.key)
                #expect(inner == expected)
                #expect((try? reader.row(root: person, key: row.key))??.key == row.key)
                keys.append(row.key)
            }
            #expect(keys == expected)
        }
    }

    @Test func `readers of several threads do not disturb each other`() throws {
        try addPeople(400)
        let failures = Locked<[String]>([])
        let requests = [
            RowRequest(entity: person), RowRequest(entity: person, order: [order("age")]),
            RowRequest(entity: person, order: [order("name")], limit: 20),
            RowRequest(entity: person, order: [order("age")], limit: 20),
        ]
        let expected = try requests.map { try fixture.rows($0).map(values) }
        DispatchQueue.concurrentPerform(iterations: 24) { index in
            let rows = try? fixture.rows(requests[index % 4])
            if rows?.map(values) != expected[index % 4] { failures.withLock { $0.append("request \(index % 4)") } }
        }
        #expect(failures.withLock { $0 } == [])
    }

    @Test func `the row function fails outside of a request for rows`() throws {
        let connection = try connection()
        #expect(throws: StorageError.self) { try connection.execute("SELECT coffer_row(1, 2)") }
        try connection.execute("CREATE TEMP VIEW v AS SELECT coffer_row(1) AS a")
        #expect(throws: StorageError.self) { try connection.execute("SELECT a FROM v") }
    }

    // MARK: Visits

    private static let keys = "SELECT coffer_key FROM Person"
    private static let visitedKeys = "SELECT 1 FROM Person WHERE coffer_visit(coffer_key)"

    @Test func `a visit passes on each row, also within another visit`() throws {
        try addPeople(30)
        let connection = try connection()
        var outer: [Int64] = []
        var inner: [Int64] = []
        try connection.visitRows(Self.keys, as: Self.visitedKeys, count: 1) { columns throws(StorageError) in
            outer.append(columns.column(0).integer)
            inner = []
            try connection.visitRows(Self.keys, as: Self.visitedKeys, count: 1) { inner.append($0.column(0).integer) }
            #expect(inner == Array(1...30))
            #expect((try? SQLiteReader(tables, connection).rows(RowRequest(entity: person)).count) == 30)
        }
        #expect(outer == Array(1...30))
    }

    @Test func `an error ends a visit, and the next visit succeeds`() throws {
        try addPeople(30)
        let connection = try connection()
        var seen: [Int64] = []
        let error = #expect(throws: StorageError.self) {
            try connection.visitRows(Self.keys, as: Self.visitedKeys, count: 1) { columns throws(StorageError) in
                seen.append(columns.column(0).integer)
                if seen.count == 12 { throw StorageError(.full, "The list is full.") }
            }
        }
        #expect(error?.code == .full)
        #expect(error?.message == "The list is full.")
        #expect(seen == Array(1...12))
        var count = 0
        try connection.visitRows(Self.keys, as: Self.visitedKeys, count: 1) { _ in count += 1 }
        #expect(count == 30)
    }

    @Test func `an interrupted visit throws`() throws {
        try addPeople(3_000)
        let connection = try connection()
        var count = 0
        let error = #expect(throws: StorageError.self) {
            try connection.visitRows(Self.keys, as: Self.visitedKeys, count: 1) { _ in
                count += 1
                if count == 10 { sqlite3_interrupt(connection.handle) }
            }
        }
        #expect(error?.message.hasSuffix("zoo.sqlite' was interrupted. Try again.") == true)
        #expect(count < 3_000)
    }

    @Test func `a visit of more columns than a function may have arguments passes on all columns`() throws {
        try addPeople(3)
        let connection = try connection()
        let count = connection.argumentLimit + 1
        let columns = (0..<count).map { "coffer_key + \($0)" }.joined(separator: ", ")
        var last: [Int64] = []
        try connection.visitRows(
            "SELECT \(columns) FROM Person", as: "SELECT 1 FROM Person WHERE coffer_visit(\(columns))", count: count
        ) { last.append($0.column(count - 1).integer) }
        #expect(last == (1...3).map { $0 + Int64(count) - 1 })
    }

    @Test func `the function for visits fails outside of a visit`() throws {
        let connection = try connection()
        #expect(throws: StorageError.self) { try connection.execute("SELECT coffer_visit(1, 2)") }
        try connection.execute("CREATE TEMP VIEW v AS SELECT coffer_visit(1) AS a")
        #expect(throws: StorageError.self) { try connection.execute("SELECT a FROM v") }
    }
}
