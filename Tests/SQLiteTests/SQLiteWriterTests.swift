import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

struct SQLiteWriterTests {
    @Test func `an update writes its columns and increments the version`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1, ["name": .text("Ada"), "age": .integer(36)]))
        var changes = ChangeSet()
        changes.updates = [fixture.update(try fixture.row("Person", 1, ["age": .integer(37)]), "age")]
        #expect(try fixture.store.commit(changes).refreshed.isEmpty)
        let row = try fixture.row("Person", 1)
        #expect(fixture.value(row, "name") == .text("Ada"))
        #expect(fixture.value(row, "age") == .integer(37))
        #expect(row?.version == 2)
    }

    @Test func `changes of two writers to different columns are both saved`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1, ["name": .text("Ada"), "age": .integer(36)]))
        var changes = ChangeSet()
        changes.updates = [fixture.update(try fixture.row("Person", 1, ["age": .integer(37)]), "age")]
        _ = try fixture.store.commit(changes)
        changes.updates = [fixture.update(try fixture.row("Person", 1, ["name": .text("Eve")]), "name")]
        let refreshed = try fixture.store.commit(changes).refreshed
        #expect(refreshed.map(\.version) == [3])
        #expect(fixture.value(refreshed.first, "age") == .integer(37))
        #expect(fixture.value(refreshed.first, "name") == .text("Eve"))
    }

    @Test func `an update of a missing row is a conflict, and nothing is saved`() throws {
        let fixture = try SQLiteFixture()
        var changes = ChangeSet()
        changes.inserts = [.init(row: try fixture.row("Person", 1))]
        changes.updates = [fixture.update(try fixture.row("Person", 9), "age")]
        let error = #expect(throws: StorageError.self) { try fixture.store.commit(changes) }
        #expect(
            error?.description
                == "conflict: 'Person' 9 was deleted by another transaction. Fetch again and repeat."
        )
        #expect(try fixture.row("Person", 1) == nil)
    }

    @Test func `one statement finds the stored rows of many merged rows`() throws {
        let statements = Locked<[String]>([])
        let fixture = try SQLiteFixture(
            settings: .init(onStatement: { text in statements.withLock { $0.append(text) } }))
        func insert(_ keys: Range<Int64>, _ texts: (Int64) -> String) throws -> CommitResult {
            var changes = ChangeSet()
            changes.inserts = try keys.map { key in
                .init(row: try fixture.row("Person", key, ["email": .text(texts(key)), "age": .integer(key)]))
            }
            return try fixture.store.commit(changes)
        }
        _ = try insert(1..<2_001) { "\($0)" }
        statements.withLock { $0 = [] }
        #expect(try insert(2_001..<4_001) { "\($0 - 2_000)" }.merges.count == 2_000)
        let (selects, inserts) = statements.withLock { all in
            (all.count { $0.hasPrefix("SELECT") }, all.count { $0.hasPrefix("INSERT") })
        }
        // The statement for many rows ends at the first row. Four rows are merged one by one before the search
        // begins, which finds 512 rows at once.
        #expect(inserts == 1 + 4)
        #expect(selects == 4 + 4)
        statements.withLock { $0 = [] }
        #expect(try insert(4_001..<6_001) { "\($0)" }.merges.isEmpty)
        #expect(statements.withLock { $0.count { $0.hasPrefix("SELECT") } } == 0)
    }

    @Test func `a merge does not write the entries of an index whose values stay the same`() throws {
        let statements = Locked<[String]>([])
        let fixture = try SQLiteFixture(
            settings: .init(onStatement: { text in
                if text.hasPrefix("UPDATE") { statements.withLock { $0.append(text) } }
            }))
        for (key, name) in [(Int64(1), "Ada"), (2, "Ada"), (3, "Eve")] {
            try fixture.insert(
                fixture.row("Person", key, ["email": .text("a@b"), "name": .text(name), "age": .integer(key)]))
        }
        let updates = statements.withLock(\.self)
        #expect(updates.map { $0.contains("\"name\"") } == [false, true])
        #expect(updates.map { $0.contains("\"email\"") } == [false, false])
        let row = try fixture.row("Person", 1)
        #expect(fixture.value(row, "name") == .text("Eve"))
        #expect(fixture.value(row, "email") == .text("a@b"))
        #expect(fixture.value(row, "age") == .integer(3))
        #expect(row?.version == 3)
    }

    @Test func `an insert with stored unique values is merged, and references refer to the surviving row`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1, ["email": .text("a@b"), "age": .integer(1)]))
        var changes = ChangeSet()
        changes.inserts = [
            .init(row: try fixture.row("Dog", 5, ["owner": .integer(2)])),
            .init(row: try fixture.row("Person", 2, ["email": .text("a@b"), "age": .integer(2), "boss": .integer(2)])),
            .init(row: try fixture.row("Person", 3, ["email": .text("c@d")])),
            .init(row: try fixture.row("Person", 4, ["email": .text("c@d"), "age": .integer(4)])),
        ]
        let clubs = fixture.layout.linkTables.firstIndex { $0.first != $0.second } ?? -1
        changes.inserts.append(.init(row: try fixture.row("Club", 7)))
        changes.links = [.init(table: clubs, first: 2, second: 7)]
        let result = try fixture.store.commit(changes)
        #expect(result.merges == [.init(root: 0, from: 2, into: 1), .init(root: 0, from: 4, into: 3)])
        #expect(try fixture.keys("Person", .constant(true)) == [1, 3])
        let survivor = try fixture.row("Person", 1)
        #expect(fixture.value(survivor, "age") == .integer(2))
        #expect(fixture.value(survivor, "boss") == .integer(1))
        #expect(survivor?.version == 2)
        #expect(fixture.value(try fixture.row("Dog", 5), "owner") == .integer(1))
        #expect(Set(result.refreshed.map(\.key)) == [1, 3, 5])
        let members = try fixture.store.read { (reader) throws(StorageError) in
            try reader.related(fixture.relationship("Club", "members"), of: [7])
        }
        #expect(members.first?.rows.map(\.key) == [1])
    }

    @Test func `rows with null in a unique attribute are not merged`() throws {
        let fixture = try SQLiteFixture()
        #expect(try fixture.insert(fixture.row("Person", 1), fixture.row("Person", 2)).merges.isEmpty)
        #expect(try fixture.keys("Person", .constant(true)) == [1, 2])
    }

    @Test func `an insert with the unique values of two rows is refused`() throws {
        var model = SQLiteFixture.model
        model.entities[0].uniqueConstraints = [["email"], ["name", "age"]]
        let fixture = try SQLiteFixture(model)
        try fixture.insert(
            fixture.row("Person", 1, ["email": .text("a")]),
            fixture.row("Person", 2, ["name": .text("n"), "age": .integer(1)])
        )
        let row = try fixture.row("Person", 3, ["email": .text("a"), "name": .text("n"), "age": .integer(1)])
        let error = #expect(throws: StorageError.self) { try fixture.insert(row) }
        #expect(
            error?.description == """
                uniqueViolation: 'Person.email' and 'Person' (name, age) must be unique, but another row already has \
                this value. Change one of the rows, or merge them.
                """
        )
    }

    @Test func `an update that breaks a constraint is refused`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(
            fixture.row("Person", 1, ["email": .text("a")]), fixture.row("Person", 2, ["email": .text("b")])
        )
        var changes = ChangeSet()
        changes.updates = [fixture.update(try fixture.row("Person", 2, ["email": .text("a")]), "email")]
        let error = #expect(throws: StorageError.self) { try fixture.store.commit(changes) }
        #expect(
            error?.description == """
                uniqueViolation: 'Person.email' must be unique, but another row already has \
                this value. Change one of the rows, or merge them.
                """
        )
        #expect(fixture.value(try fixture.row("Person", 2), "email") == .text("b"))
    }

    @Test func `rows can exchange their unique values, and reuse the values of deleted rows`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(
            fixture.row("Person", 1, ["email": .text("a")]), fixture.row("Person", 2, ["email": .text("b")]),
            fixture.row("Person", 3, ["email": .text("c")])
        )
        var changes = ChangeSet()
        changes.updates = [
            fixture.update(try fixture.row("Person", 1, ["email": .text("b")]), "email"),
            fixture.update(try fixture.row("Person", 2, ["email": .text("a")]), "email"),
        ]
        changes.deletes = [.init(entity: 0, key: 3)]
        changes.inserts = [.init(row: try fixture.row("Person", 4, ["email": .text("c")]))]
        let result = try fixture.store.commit(changes)
        #expect(result.merges.isEmpty && result.refreshed.isEmpty)
        let emails = try (1...4).map { fixture.value(try fixture.row("Person", $0), "email") }
        #expect(emails == [.text("b"), .text("a"), nil, .text("c")])
        #expect(try fixture.row("Person", 1)?.version == 2)
    }

    @Test func `links keep their order and are deleted with their row`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(
            fixture.row("Person", 1), fixture.row("Person", 2), fixture.row("Person", 3), fixture.row("Club", 1)
        )
        let table = fixture.layout.linkTables.firstIndex { $0.first != $0.second } ?? -1
        func members() throws -> [Int64] {
            try fixture.store.read { (reader) throws(StorageError) in
                try reader.related(fixture.relationship("Club", "members"), of: [1]).flatMap { $0.rows.map(\.key) }
            }
        }
        var changes = ChangeSet()
        changes.links = [(3, 0), (1, 1), (2, 2)].map {
            .init(table: table, first: $0.0, second: 1, secondPosition: $0.1)
        }
        _ = try fixture.store.commit(changes)
        #expect(try members() == [3, 1, 2])
        changes.links = [.init(table: table, first: 3, second: 1, secondPosition: 9)]
        changes.unlinks = [.init(table: table, first: 1, second: 1)]
        _ = try fixture.store.commit(changes)
        #expect(try members() == [2, 3])
        changes = ChangeSet()
        changes.deletes = [.init(entity: 0, key: 2), .init(entity: 0, key: 99)]
        _ = try fixture.store.commit(changes)
        #expect(try members() == [3])
    }

    @Test func `a relationship that is its own inverse is read from both sides`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1), fixture.row("Person", 2))
        let table = fixture.layout.linkTables.firstIndex { $0.first == $0.second } ?? -1
        var changes = ChangeSet()
        changes.links = [.init(table: table, first: 2, second: 1), .init(table: table, first: 1, second: 2)]
        _ = try fixture.store.commit(changes)
        let friends = try fixture.store.read { (reader) throws(StorageError) in
            try reader.related(fixture.relationship("Person", "friends"), of: [2, 1])
        }
        #expect(friends.map(\.owner) == [1, 2])
        #expect(friends.map { $0.rows.map(\.key) } == [[2], [1]])
        let count = RowPredicate.compare(
            .count(relationship: fixture.relationship("Person", "friends")), .equal, .value(.integer(1))
        )
        #expect(try fixture.keys("Person", count) == [1, 2])
    }

    @Test func `reserved keys are unique across several stores on one file`() throws {
        let fixture = try SQLiteFixture()
        let other = SQLiteStore(fileURL: fixture.fileURL)
        _ = try other.open(fixture.layout)
        #expect(try fixture.store.reserveKeys(10, root: 0) == 1..<11)
        #expect(try other.reserveKeys(5, root: 0) == 11..<16)
        #expect(try fixture.store.reserveKeys(1, root: fixture.entity("Club")) == 1..<2)
        other.close()
    }

    @Test func `a reader keeps its snapshot and does not wait for a writer`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        let reader = try fixture.store.makeReader()
        let all = RowRequest(entity: 0)
        #expect(try reader.count(all) == 1)
        try fixture.insert(fixture.row("Person", 2))
        #expect(try reader.count(all) == 1)
        reader.finish()
        #expect(try fixture.store.makeReader().count(all) == 2)
        let error = #expect(throws: StorageError.self) { try reader.count(all) }
        #expect(error?.code == .closed)
    }
}
