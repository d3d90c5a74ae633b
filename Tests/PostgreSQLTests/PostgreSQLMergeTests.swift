import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// New rows that are merged, many at once and together with another writer.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct PostgreSQLMergeTests {
    private static let constraints = [[["text"]], [["text"], ["rank"]]]

    @Test(arguments: constraints)
    func `the number of statements does not depend on the number of merged rows`(
        _ constraints: [[String]]
    ) throws {
        let counts = try [600, 1_500].map { count in
            let said = Locked(0)
            let settings = PostgreSQLConfiguration(onStatement: { _ in said.withLock { $0 += 1 } })
            let fixture = try PostgreSQLFixture(settings, constraints: constraints)
            try commit(fixture.store, fixture, 0..<count)
            said.withLock { $0 = 0 }
            // The first half is stored, the second half is new.
            let result = try commit(fixture.store, fixture, (count / 2)..<(count + count / 2))
            #expect(result.merges.count == count - count / 2)
            #expect(result.refreshed.count == count - count / 2)
            #expect(try fixture.count() == count + count / 2)
            return said.withLock(\.self)
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0] < 25)
    }

    @Test func `merging many rows with the same values takes as many statements as merging two rows`() throws {
        let counts = try [2, 600].map { count in
            let said = Locked(0)
            let fixture = try PostgreSQLFixture(
                PostgreSQLConfiguration(onStatement: { text in
                    if text.hasPrefix("INSERT") || text.hasSuffix("FOR UPDATE OF t0")
                        || text.hasPrefix("UPDATE \"Note\"")
                    {
                        said.withLock { $0 += 1 }
                    }
                }))
            _ = try commit(fixture.store, fixture, Array(repeating: 7, count: count))
            let rows = try rows(fixture)
            #expect(rows.map(\.version) == [Int64(count)])
            return said.withLock(\.self)
        }
        #expect(counts[0] == counts[1])
    }

    /// Two writers insert overlapping values at the same time.
    ///
    /// With every policy, each insert is a new row, one more version of a row, a kept row, or part of a commit that was
    /// refused as a whole.
    @Test(arguments: constraints, [UniqueConstraintPolicy.merge, .keepStored, .throwError])
    func `two writers with overlapping unique values lose no row`(
        _ constraints: [[String]], _ policy: UniqueConstraintPolicy
    ) throws {
        let fixture = try PostgreSQLFixture(constraints: constraints)
        let other = try Postgres.store(fixture.schema)
        defer { other.close() }
        _ = try other.open(fixture.layout)
        let stores = [fixture.store, other]
        let (inserted, merged) = (Locked(0), Locked(0))
        let isDone = DispatchGroup()
        for (writer, store) in stores.enumerated() {
            isDone.enter()
            Thread.detachNewThread {
                defer { isDone.leave() }
                for round in 0..<12 {
                    let numbers = (0..<40).map { ($0 * (writer == 0 ? 1 : 7) + round * 13) % 160 }
                    do {
                        let result = try commit(store, fixture, numbers, policy)
                        inserted.withLock { $0 += numbers.count }
                        merged.withLock { $0 += result.merges.count }
                    } catch let error as StorageError where error.code == .uniqueViolation {
                        if policy != .throwError { Issue.record(error) }
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        #expect(isDone.wait(timeout: .now() + 500) == .success)
        let rows = try rows(fixture)
        let texts = rows.map { $0.value(fixture.slot("text"), .text) }
        #expect(Set(texts).count == rows.count)
        #expect(rows.count == inserted.withLock(\.self) - merged.withLock(\.self))
        let versions = rows.reduce(0) { $0 + Int($1.version) }
        #expect(versions == (policy == .merge ? inserted.withLock(\.self) : rows.count))
        #expect(policy != .throwError || merged.withLock(\.self) == 0)
    }

    @Test func `merges that conflict with other commits are repeated`() throws {
        let fixture = try PostgreSQLFixture()
        try commit(fixture.store, fixture, 0..<300)
        try fixture.run(
            """
            CREATE SEQUENCE attempts;
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN IF nextval(''attempts'') < 3 THEN RAISE deadlock_detected; END IF; RETURN NULL; END';
            CREATE TRIGGER refuse AFTER UPDATE ON "Note" FOR EACH STATEMENT EXECUTE FUNCTION refuse()
            """)
        let result = try commit(fixture.store, fixture, 100..<400)
        try fixture.run("DROP TRIGGER refuse ON \"Note\"; DROP FUNCTION refuse(); DROP SEQUENCE attempts")
        #expect(result.merges.count == 200)
        #expect(try rows(fixture).count { $0.version == 2 } == 200)
        #expect(try fixture.count() == 400)
    }

    /// The rows of the commit are new when they are searched.
    ///
    /// Before they are inserted, another writer inserts a row with the text of one and the rank of the other. The merge
    /// of the first row frees this rank for the second row.
    @Test func `rows are merged in order if another writer stores their values after the search`() throws {
        let (act, inserts) = (Locked<(@Sendable () -> Void)?>(nil), Locked(0))
        let settings = PostgreSQLConfiguration(onStatement: { text in
            guard text.hasPrefix("INSERT INTO \"Note\"") else { return }
            let isSecond = inserts.withLock { inserts in
                inserts += 1
                return inserts == 2
            }
            if isSecond { act.withLock(\.self)?() }
        })
        let fixture = try PostgreSQLFixture(settings, constraints: [["text"], ["rank"]])
        let other = try Postgres.store(fixture.schema)
        defer { other.close() }
        _ = try other.open(fixture.layout)
        func changes(_ values: [(String, Int64)]) throws -> ChangeSet {
            var changes = ChangeSet()
            changes.inserts = try zip(fixture.store.reserveKeys(values.count, root: 0), values).map { key, value in
                .init(row: try fixture.row(key, value.0, value.1))
            }
            return changes
        }
        _ = try other.commit(changes([("stored", 0)]))
        let (new, theirs) = (try changes([("stored", 5), ("a", 1), ("b", 2)]), try changes([("a", 2)]))
        act.withLock { act in
            act = { #expect(throws: Never.self) { _ = try other.commit(theirs) } }
        }
        let result = try fixture.store.commit(new)
        #expect(inserts.withLock(\.self) >= 2)
        let stored = try rows(fixture).map { row in
            "\(row.value(fixture.slot("text"), .text)) \(row.value(fixture.slot("rank"), .integer)) \(row.version)"
        }
        let expected = [("stored", 5, 2), ("b", 2, 1), ("a", 1, 2)].map { text, rank, version in
            "\(Value.text(text)) \(Value.integer(Int64(rank))) \(version)"
        }
        #expect(stored == expected)
        #expect(result.merges.map(\.from) == new.inserts.prefix(2).map(\.row.key))
    }

    /// `COPY` of all rows would fail, and the server would have inserted the rows before the first stored row in vain.
    @Test func `rows with stored unique values are merged before the other rows are copied`() throws {
        let statements = Locked<[String]>([])
        let fixture = try PostgreSQLFixture(
            PostgreSQLConfiguration(onStatement: { text in statements.withLock { $0.append(text) } }))
        func words(_ numbers: some Collection<Int>) throws -> [String] {
            statements.withLock { $0.removeAll() }
            try commit(fixture.store, fixture, numbers)
            return statements.withLock { $0.compactMap { $0.split(separator: " ").first.map(String.init) } }
        }
        let all = try words(0..<600)
        #expect(all.suffix(5) == ["SELECT", "SAVEPOINT", "COPY", "RELEASE", "COMMIT"])
        let half = try words(300..<900)
        #expect(half.suffix(7) == ["SELECT", "SELECT", "UPDATE", "SAVEPOINT", "COPY", "RELEASE", "COMMIT"])
        #expect(half.count { $0 == "COPY" } == 1)
    }

    /// The test counts the expected versions in memory: a merge adds 1.
    @Test(arguments: constraints)
    func `rows with values of stored rows, of each other or of another writer are merged once each`(
        _ constraints: [[String]]
    ) throws {
        let act = Locked<(@Sendable () -> Void)?>(nil)
        let settings = PostgreSQLConfiguration(onStatement: { text in
            guard text.hasPrefix("COPY") else { return }
            act.withLock { $0.take() }?()
        })
        let fixture = try PostgreSQLFixture(settings, constraints: constraints)
        let other = try Postgres.store(fixture.schema)
        defer { other.close() }
        _ = try other.open(fixture.layout)
        // Stored rows; new rows, some of which have the same values; rows that are stored between the search and the copy.
        let (stored, new) = (Array(0..<300), Array(150..<700) + Array(500..<520))
        let theirs = Array(600..<640)
        try commit(fixture.store, fixture, stored)
        act.withLock { act in
            act = { #expect(throws: Never.self) { try commit(other, fixture, theirs) } }
        }
        let result = try commit(fixture.store, fixture, new)
        #expect(act.withLock { $0 == nil })
        var versions: [Value: Int64] = [:]
        for number in stored + theirs + new { versions[.text("text \(number)"), default: 0] += 1 }
        let found = try rows(fixture).map { ($0.value(fixture.slot("text"), .text), $0.version) }
        #expect(found.count == versions.count)
        for (text, version) in found { #expect(versions[text] == version, "\(text)") }
        #expect(result.merges.count == stored.count + theirs.count + new.count - versions.count)
        #expect(result.merges.map(\.from) == result.merges.map(\.from).sorted())
    }

    private func rows(_ fixture: PostgreSQLFixture) throws -> [Row] {
        try fixture.store.read { reader throws(StorageError) in try reader.rows(RowRequest(entity: 0)) }
    }

    /// Inserts a row for each number.
    @discardableResult
    private func commit(
        _ store: PostgreSQLStore, _ fixture: PostgreSQLFixture, _ numbers: some Collection<Int>,
        _ policy: UniqueConstraintPolicy = .merge
    ) throws -> CommitResult {
        var changes = ChangeSet()
        changes.uniqueConstraintPolicies = [0: [policy, policy]]
        changes.inserts = try zip(store.reserveKeys(numbers.count, root: 0), numbers).map { key, number in
            .init(row: try fixture.row(key, "text \(number)", Int64(number)))
        }
        return try store.commit(changes)
    }
}
