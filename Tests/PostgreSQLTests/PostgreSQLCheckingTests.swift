import CofferStorage
import CofferStorageTools
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// Checks of a schema that another program wrote to.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct PostgreSQLCheckingTests {
    /// Three notes, with the keys 1 to 3.
    private let fixture: PostgreSQLFixture

    init() throws {
        fixture = try PostgreSQLFixture()
        for text in ["a", "b", "c"] { try fixture.insert(text) }
    }

    /// Runs a statement, and returns the descriptions of the problems after it.
    private func problems(_ statement: String) throws -> [String] {
        try fixture.run(statement)
        return try fixture.store.problems(fixture.layout).map(\.description)
    }

    @Test func `checking a new store reports nothing`() throws {
        #expect(try fixture.store.problems(fixture.layout) == [])
    }

    @Test func `checking reports a key that is not positive`() throws {
        #expect(
            try problems("UPDATE \"Note\" SET coffer_key = -5 WHERE coffer_key = 3")
                == ["'Note' has a key that is not positive, once (key -5)."])
    }

    @Test func `checking reports a next key that is already used`() throws {
        #expect(
            try problems("UPDATE coffer_keys SET next = 3 WHERE root = 'Note'")
                == ["The next key of 'Note' is already the key of a row."])
    }

    @Test func `checking reports versions that are out of range`() throws {
        #expect(
            try problems("UPDATE \"Note\" SET coffer_version = 9223372036854775807 - (coffer_key - 1)")
                == ["'Note' has a row with a version that is below 1 or cannot increase, once (key 1)."])
        #expect(
            try problems("UPDATE \"Note\" SET coffer_version = coffer_key - 2")
                == ["'Note' has a row with a version that is below 1 or cannot increase, 2 times (key 1, 2)."])
    }

    @Test func `checking reports equal values in a unique constraint`() throws {
        #expect(
            try problems("DROP INDEX \"coffer_unique_Note_text\"; UPDATE \"Note\" SET text = 'same'")
                == ["'Note.text' must be unique but is not, once."])
    }

    @Test func `an update of a row with the highest version is refused`() throws {
        #expect(
            try problems("UPDATE \"Note\" SET coffer_version = 9223372036854775807 WHERE coffer_key = 2").count == 1)
        let kinds = fixture.layout.entities[0].kinds
        let changed = try #require(
            Row.make(entity: 0, key: 2, version: .max, values: [.text("b"), .integer(7)], kinds: kinds))
        var changes = ChangeSet()
        changes.updates = [.init(row: changed, columns: ColumnSet([1]))]
        let error = #expect(throws: StorageError.self) { try fixture.store.commit(changes) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.hasPrefix("Row 2 of 'Note' cannot be changed, because it has the highest") == true)
        #expect(try fixture.run("SELECT 1 FROM \"Note\" WHERE coffer_key = 2 AND rank = 0").rowCount == 1)
    }
}
