import CofferSQLite
import CofferStorage
import Foundation
import Testing

struct SQLiteRequestTests {
    private let fixture: SQLiteFixture
    private var balance: RowExpression { fixture.column("Person", "balance") }
    private var age: RowExpression { fixture.column("Person", "age") }
    private var score: RowExpression { fixture.column("Person", "score") }

    init() throws {
        fixture = try SQLiteFixture()
        try fixture.insert(
            fixture.row(
                "Person", 1, ["age": .integer(9_007_199_254_740_993), "score": .double(0.1), "balance": .decimal(10)]),
            fixture.row(
                "Person", 2, ["age": .integer(.max), "score": .double(9_007_199_254_740_992), "balance": .decimal(9)]),
            fixture.row("Person", 3, ["age": .integer(.max), "balance": .decimal(Decimal(string: "0.1") ?? 0)]),
            fixture.row("Person", 4, ["age": .integer(-.max), "name": .text("a\u{0}b")])
        )
    }

    private func values(
        _ terms: ValueRequest.Term..., limit: Int? = nil, where predicate: RowPredicate = .constant(true)
    ) throws -> [[Value]] {
        let request = ValueRequest(rows: RowRequest(entity: 0, predicate: predicate, limit: limit), terms: terms)
        return try fixture.store.read { (reader) throws(StorageError) in try reader.values(request) }
    }

    @Test func `numbers of different kinds compare by their exact value`() throws {
        #expect(try fixture.keys("Person", .compare(score, .equal, .value(.integer(9_007_199_254_740_993)))).isEmpty)
        #expect(try fixture.keys("Person", .compare(score, .less, .value(.integer(9_007_199_254_740_993)))) == [1, 2])
        #expect(
            try fixture.keys("Person", .compare(age, .greater, .value(.double(9_007_199_254_740_992)))) == [1, 2, 3])
        #expect(try fixture.keys("Person", .compare(balance, .equal, .value(.double(0.1)))) == [3])
        #expect(try fixture.keys("Person", .compare(balance, .greater, score)) == [1])
        #expect(try fixture.keys("Person", .compare(balance, .less, .value(.double(.infinity)))) == [1, 2, 3])
    }

    @Test func `decimals are sorted by value`() throws {
        let order = [RowSort(balance, ascending: true)]
        #expect(try fixture.keys("Person", .constant(true), order: order) == [4, 3, 2, 1])
    }

    @Test func `lists of any length and kind work`() throws {
        let texts = (0..<1_000).map { Value.text("\($0)") } + [.text("a\u{0}b")]
        #expect(try fixture.keys("Person", .isIn(fixture.column("Person", "name"), texts)) == [4])
        let numbers = (0..<300_000).map { Value.integer($0) } + [.integer(.max)]
        #expect(try fixture.keys("Person", .isIn(age, numbers)) == [2, 3])
        let doubles = (0..<1_000).map { Value.double(Double($0)) } + [.double(0.1)]
        #expect(try fixture.keys("Person", .isIn(score, doubles)) == [1])
        #expect(try fixture.keys("Person", .isIn(balance, doubles)) == [1, 2, 3])
    }

    /// A long list of a unique attribute is joined in a request for rows, but not in a request for keys.
    @Test func `a long list returns each row once, in the order of the keys`() throws {
        let (name, email) = (fixture.column("Person", "name"), fixture.column("Person", "email"))
        let texts = ["zoe", "\u{E9}", "e\u{301}", "a\"b", "", "zoe", "\u{10FFFF}"]
        for (index, text) in texts.enumerated() {
            try fixture.insert(
                fixture.row(
                    "Person", Int64(30 - index),
                    ["name": .text(text), "email": .text("\(index)"), "score": .double(Double(index) / 3)]))
        }
        let fill = (0..<600).map { Value.text("fill \($0)") }
        let doubles = (0..<600).map { Value.double(-Double($0)) } + (0..<5).map { .double(Double($0) / 3) }
        let predicates: [RowPredicate] = [
            .isIn(name, texts.map { .text($0) } + fill + [.text("zoe"), .null, .integer(3)]),
            .isIn(name, [.text("zoe")] + fill), .isIn(email, fill + [.text("5"), .text("0"), .text("5")]),
            .isIn(score, doubles), .isIn(score, doubles + [.integer(9_007_199_254_740_993), .decimal(1)]),
            .and([.compare(score, .greater, .value(.double(0))), .isIn(name, fill + [.text("zoe")])]),
            .and([.isIn(name, fill + [.text("zoe")]), .isIn(email, fill + [.text("0")])]),
            .isIn(email, fill + [.text("3"), .null, .integer(3), .text("a\"b")]),
            .isIn(email, (0..<600).map { .integer($0) } + [.text("2")]),
            .isIn(email, (0..<600).map { .integer($0) }),
        ]
        for (index, predicate) in predicates.enumerated() {
            let keys = try fixture.keys("Person", predicate)
            #expect(try fixture.rows(RowRequest(entity: 0, predicate: predicate)).map(\.key) == keys, "\(index)")
            #expect(keys.isEmpty == (index == predicates.count - 1), "\(index)")
            let limited = RowRequest(entity: 0, predicate: predicate, offset: 1, limit: 2)
            #expect(try fixture.rows(limited).map(\.key) == Array(keys.dropFirst().prefix(2)), "\(index)")
        }
    }

    /// A list without strings that JSON must escape is handled in another way than a list with such strings.
    @Test func `a long list finds any string`() throws {
        let name = fixture.column("Person", "name")
        let plain = (0..<1_000).map { Value.text("\($0)") }
        let texts = ["Bob", "\u{E9}", "e\u{301}", "a\"b", "a\\b", "\n", "\u{7F}", "", "\u{10FFFF}"]
        for (index, text) in texts.enumerated() {
            try fixture.insert(fixture.row("Person", Int64(10 + index), ["name": .text(text)]))
        }
        for (index, text) in texts.enumerated() {
            #expect(try fixture.keys("Person", .isIn(name, plain + [.text(text)])) == [Int64(10 + index)], "\(text)")
        }
        let all = plain + texts.map { .text($0) }
        #expect(try fixture.keys("Person", .isIn(name, all)) == texts.indices.map { Int64(10 + $0) })
    }

    @Test func `a long chain of conditions is answered`() throws {
        let parts = (0..<5_000).map { RowPredicate.compare(age, .equal, .value(.integer(Int64($0)))) }
        #expect(try fixture.keys("Person", .or(parts)).isEmpty)
    }

    @Test func `a long list of numbers may exceed SQLite's limit of expressions`() throws {
        let numbers = (0..<2_000).map { Value.decimal(Decimal(string: "0.1234567890123456789\($0)") ?? 0) }
        #expect(try fixture.keys("Person", .isIn(score, numbers + [.double(0.1)])) == [1])
    }

    @Test func `the error of a deeply nested request names the cause if a table is missing`() throws {
        var predicate = RowPredicate.compare(age, .equal, .value(.integer(9_007_199_254_740_993)))
        for _ in 0..<1_200 { predicate = .not(predicate) }
        #expect(try fixture.keys("Person", predicate) == [1])
        try SQLiteFixture.execute("DROP TABLE Person", in: fixture.fileURL)
        let error = #expect(throws: StorageError.self) { try fixture.keys("Person", predicate) }
        #expect(error?.cause == "SQLite error 1: no such table: Person")
    }

    @Test func `a sum is exact, even if intermediate sums exceed 64 bits`() throws {
        #expect(throws: StorageError.self) { try values(.aggregate(.sum, age)) }
        let three = RowPredicate.isIn(.key, [.integer(2), .integer(3), .integer(4)])
        #expect(try values(.aggregate(.sum, age), where: three) == [[.integer(.max)]])
        #expect(try values(.aggregate(.sum, balance)) == [[.decimal(Decimal(string: "19.1") ?? 0)]])
        let error = #expect(throws: StorageError.self) { try values(.aggregate(.sum, age)) }
        #expect(error?.description == "invalidValue: A sum is beyond 64 bits. Sum fewer rows, or a decimal attribute.")
    }

    @Test func `aggregates over no rows are 0 or null`() throws {
        let nothing = RowPredicate.constant(false)
        let row = try values(
            .aggregate(.sum, age), .aggregate(.sum, score), .aggregate(.sum, balance), .aggregate(.count, age),
            .aggregate(.average, age), .aggregate(.average, balance), .aggregate(.minimum, age), where: nothing
        )
        #expect(row == [[.integer(0), .double(0), .decimal(0), .integer(0), .null, .null, .null]])
    }

    @Test func `a request for 40,000 keys returns the rows that exist`() throws {
        let keys = try fixture.store.read { (reader) throws(StorageError) in
            try reader.rows(root: 0, keys: Array(1...40_000)).map(\.key).sorted()
        }
        #expect(keys == [1, 2, 3, 4])
    }

    @Test func `a request for a slot that does not exist throws`() throws {
        #expect(throws: StorageError.self) {
            try fixture.store.read { (reader) throws(StorageError) in
                try reader.rows(
                    RowRequest(entity: 0, order: [RowSort(.column(slot: 99, kind: .text), ascending: true)]))
            }
        }
    }
}
