import CofferStorage
import Foundation
import Testing

@testable import CofferSQLite

struct SQLiteErrorTests {
    private func message(_ body: () throws -> Void) -> String? {
        (#expect(throws: StorageError.self) { try body() })?.description
    }

    @Test func `a missing directory is created`() throws {
        let fixture = try SQLiteFixture(opens: false)
        let store = SQLiteStore(fileURL: fixture.directory.appending(path: "a/b c/é?#%.sqlite"))
        _ = try store.open(fixture.layout)
        store.close()
        #expect(FileManager.default.fileExists(atPath: store.fileURL.path(percentEncoded: false)))
        #expect(try store.inspect()?.model == fixture.layout.model)
    }

    @Test func `a directory at the path of the file is refused`() throws {
        let fixture = try SQLiteFixture(opens: false)
        try FileManager.default.createDirectory(at: fixture.fileURL, withIntermediateDirectories: true)
        let expected = "unavailable: '\(fixture.fileURL.path)' is a directory. Give the path of a file."
        #expect(message { _ = try fixture.store.open(fixture.layout) } == expected)
        #expect(message { _ = try fixture.store.inspect() } == expected)
    }

    @Test func `a file at the path of the directory is refused`() throws {
        let fixture = try SQLiteFixture()
        let store = SQLiteStore(fileURL: fixture.fileURL.appending(path: "deeper.sqlite"))
        #expect(
            message { _ = try store.open(fixture.layout) } == """
                unavailable: The directory of '\(store.fileURL.path)' cannot be created. \
                Check its path, and the permissions of its parent.
                """
        )
    }

    @Test func `a file that is not a database is refused and not changed`() throws {
        let fixture = try SQLiteFixture(opens: false)
        let content = Data(String(repeating: "not a database. ", count: 400).utf8)
        try content.write(to: fixture.fileURL)
        let expected = "foreign: '\(fixture.fileURL.path)' is not a SQLite database. Choose another file."
        #expect(message { _ = try fixture.store.open(fixture.layout) } == expected)
        #expect(message { _ = try fixture.store.inspect() } == expected)
        #expect(try Data(contentsOf: fixture.fileURL) == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path()) == ["zoo.sqlite"])
    }

    @Test func `a database of another program is refused and not changed`() throws {
        let fixture = try SQLiteFixture(opens: false)
        do {
            let connection = try SQLiteConnection(
                path: fixture.fileURL.path(), access: .write(creates: true), options: SQLiteConfiguration()
            )
            try connection.execute("CREATE TABLE theirs (a)")
        }
        let content = try Data(contentsOf: fixture.fileURL)
        let expected =
            "foreign: '\(fixture.fileURL.path)' is a SQLite database, but not a Coffer store. Choose another file."
        #expect(message { _ = try fixture.store.open(fixture.layout) } == expected)
        #expect(message { _ = try fixture.store.inspect() } == expected)
        #expect(try Data(contentsOf: fixture.fileURL) == content)
    }

    @Test func `a truncated file is reported as damaged`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1, ["photo": .blob(Data(count: 100_000))]))
        fixture.store.close()
        let content = try Data(contentsOf: fixture.fileURL)
        try content.prefix(6_000).write(to: fixture.fileURL)
        let expected = "corrupt: '\(fixture.fileURL.path)' is damaged. Restore it from a backup, or erase the store."
        #expect(message { _ = try fixture.store.inspect() } == expected)
        #expect(message { _ = try fixture.store.open(fixture.layout) } == expected)
    }

    @Test func `a damaged description of a store is reported`() throws {
        let fixture = try SQLiteFixture()
        let connection = try SQLiteConnection(
            path: fixture.fileURL.path(), access: .write(creates: false), options: SQLiteConfiguration()
        )
        try connection.execute("UPDATE coffer_metadata SET value = '{' WHERE name = 'model'")
        #expect(
            message { _ = try fixture.store.inspect() } == """
                corrupt: The description of the store in '\(fixture.fileURL.path)' is damaged. \
                Restore it from a backup, or erase the store.
                """
        )
        try connection.execute("UPDATE coffer_metadata SET value = '7' WHERE name = 'format'")
        #expect(
            message { _ = try fixture.store.inspect() }
                == "foreign: '\(fixture.fileURL.path)' has format 7 of a later release of Coffer. This release "
                + "supports formats up to 2. To open the store, update the program, or its version of Coffer."
        )
    }

    @Test func `opening a file with another model throws schemaMismatch`() throws {
        let fixture = try SQLiteFixture()
        fixture.store.close()
        var model = SQLiteFixture.model
        model.version = "V2"
        model.entities[0].attributes.removeLast()
        let layout = try ModelLayout(model)
        #expect(
            message { _ = try fixture.store.open(layout) } == """
                schemaMismatch: '\(fixture.fileURL.path)' contains data of version 'V1' of the model, which differs \
                from version 'V2' in '\(model.entities[0].name)'. Migrate the store, or open it with its own version.
                """
        )
        model.version = "V1"
        let unnamed = try ModelLayout(model)
        #expect(
            message { _ = try fixture.store.open(unnamed) } == """
                schemaMismatch: '\(fixture.fileURL.path)' contains data of another model that also has the version \
                'V1'. The models differ in '\(model.entities[0].name)'. Give the changed model its own version, and \
                migrate the store.
                """
        )
    }

    @Test func `a commit to a store that another connection locks throws busy`() throws {
        let fixture = try SQLiteFixture(settings: SQLiteConfiguration(busyTimeLimit: 0.01))
        let other = try SQLiteConnection(
            path: fixture.fileURL.path(), access: .write(creates: false), options: SQLiteConfiguration()
        )
        try other.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: StorageError.self) { try fixture.insert(fixture.row("Person", 1)) }
        #expect(
            error?.description
                == "busy: '\(fixture.fileURL.path)' is locked by another process. Try again, or raise the busy time limit."
        )
        #expect(error?.isRetryable == true)
        try other.execute("COMMIT")
        try fixture.insert(fixture.row("Person", 1))
    }

    @Test func `a commit that exceeds the free space throws full`() throws {
        let fixture = try SQLiteFixture(settings: SQLiteConfiguration(maximumPageCount: 60))
        let row = try fixture.row("Person", 1, ["photo": .blob(Data(count: 1_000_000))])
        #expect(
            message { try fixture.insert(row) }
                == "full: There is no room left for '\(fixture.fileURL.path)'. Free some space and try again."
        )
        try fixture.insert(fixture.row("Person", 2))
        #expect(try fixture.keys("Person", .constant(true)) == [2])
    }

    @Test func `a value of the wrong kind is converted if possible, and refused otherwise`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1, ["age": .integer(1), "active": .boolean(true)]))
        let other = try SQLiteConnection(
            path: fixture.fileURL.path(), access: .write(creates: false), options: SQLiteConfiguration()
        )
        try other.execute("UPDATE Person SET name = x'4164', active = 7, score = 3, balance = 2.5, photo = 'x'")
        let row = try fixture.row("Person", 1)
        #expect(fixture.value(row, "name") == .text("Ad"))
        #expect(fixture.value(row, "active") == .boolean(true))
        #expect(fixture.value(row, "score") == .double(3))
        #expect(fixture.value(row, "balance") == .decimal(2.5))
        #expect(fixture.value(row, "photo") == .blob(Data("x".utf8)))
        for (column, value) in [
            ("age", "'old'"), ("age", "1.5"), ("score", "'high'"), ("balance", "'much'"), ("born", "x'00'"),
        ] {
            try other.execute("UPDATE Person SET age = 1, score = 1, balance = 1, born = 1")
            try other.execute("UPDATE Person SET \(column) = \(value)")
            let kind = ["age": "integer", "score": "double", "balance": "decimal", "born": "date"][column] ?? ""
            #expect(
                message { _ = try fixture.row("Person", 1) } == """
                    invalidValue: 'Person.\(column)' of row 1 has a value that does not fit its kind, \(kind). \
                    Correct or remove the value.
                    """
            )
        }
    }

    @Test func `a row of an entity that is not in the model is refused`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Dog", 1))
        let other = try SQLiteConnection(
            path: fixture.fileURL.path(), access: .write(creates: false), options: SQLiteConfiguration()
        )
        try other.execute("UPDATE Animal SET coffer_entity = 'Bird'")
        #expect(
            message { _ = try fixture.row("Dog", 1) } == """
                invalidValue: Row 1 of 'Animal' has the entity 'Bird', which has no rows in this model. \
                Correct 'coffer_entity' or delete the row.
                """
        )
    }

    @Test func `a closed store refuses requests and commits`() throws {
        let fixture = try SQLiteFixture()
        fixture.store.close()
        fixture.store.close()
        let expected = "closed: The store is not open. Open it first."
        #expect(message { _ = try fixture.store.makeReader() } == expected)
        #expect(message { _ = try fixture.store.commit(ChangeSet()) } == expected)
        #expect(message { _ = try fixture.store.reserveKeys(1, root: 0) } == expected)
    }

    @Test(arguments: [
        (8, "readOnly: 'f' cannot be written. Give this process permission to write it."),
        (3, "readOnly: 'f' cannot be written. Give this process permission to write it."),
        (6, "busy: 'f' is locked by another process. Try again, or raise the busy time limit."),
        (14, "unavailable: 'f' cannot be opened. Check its path and permissions."),
        (778, "unavailable: 'f' cannot be read or written. Check the disk."),
        (23, "unavailable: SQLite is not allowed to use 'f'. Check the process's permissions."),
        (22, "full: 'f' has reached the largest size its disk allows. Move it to another disk."),
        (2067, "uniqueViolation: A row breaks a constraint of 'f': words."),
        (18, "invalidValue: A value is too large for 'f'. Keep it under 1,000,000,000 bytes."),
        (20, "invalidValue: A value does not fit its column in 'f'."),
        (25, "invalidRequest: A request has more values than SQLite can bind. Split the request."),
        (17, "busy: The tables of 'f' changed during the operation. Try again."),
        (7, "failed: There is not enough memory to use 'f'."),
        (9, "failed: The operation on 'f' was interrupted. Try again."),
        (1, "failed: SQLite failed on 'f': words."),
    ])
    func `each error code of SQLite has its own message`(_ code: Int32, _ expected: String) {
        #expect(SQLiteFailure(code: code, words: "words").storageError(file: "f").description == expected)
    }
}
