import CofferStorage
import Foundation
import Testing

@testable import CofferPostgreSQL

struct PostgreSQLErrorTests {
    private static let texts = [
        "23505": "uniqueViolation: A row breaks a constraint of 'people'.",
        "40001": "busy: The commit conflicted with others on 'people' and was undone. Try again.",
        "40P01": "busy: The commit conflicted with others on 'people' and was undone. Try again.",
        "55P03": "busy: 'people' is locked by another writer. Try again, or raise the busy time limit.",
        "55006": "busy: 'people' is locked by another writer. Try again, or raise the busy time limit.",
        "57014": "busy: A statement on 'people' was cancelled or exceeded the time limit. Try again, or raise the "
            + "statement time limit.",
        "57P01": "unavailable: The connection to 'people' was lost; uncommitted changes were discarded. Try again.",
        "57P02": "unavailable: The connection to 'people' was lost; uncommitted changes were discarded. Try again.",
        "57P05": "unavailable: The connection to 'people' was lost; uncommitted changes were discarded. Try again.",
        "25P03": "unavailable: The connection to 'people' was lost; uncommitted changes were discarded. Try again.",
        "08006": "unavailable: The connection to 'people' was lost; uncommitted changes were discarded. Try again.",
        "57P03": "unavailable: The server of 'people' accepts no more connections now. Try again later.",
        "53300": "unavailable: The server of 'people' accepts no more connections now. Try again later.",
        "57P04": "unavailable: The database of 'people' was dropped.",
        "3D000": "unavailable: The database of 'people' does not exist. Create it.",
        "28P01": "unavailable: The server of 'people' refuses this user: words. Check user and password.",
        "58030": "unavailable: The server of 'people' cannot read or write its files. Check its disk.",
        "25006": "readOnly: 'people' cannot be written: its server or session is read-only.",
        "42501": "readOnly: This user lacks a permission in 'people': words. Grant the user permission to read and "
            + "write.",
        "53100": "full: There is no room left for 'people'. Free some space and try again.",
        "53400": "full: There is no room left for 'people'. Free some space and try again.",
        "53200": "failed: The server of 'people' is short of resources. Try again.",
        "42P07": "foreign: 'people' has tables of another program with Coffer's table names. Choose another schema.",
        "42710": "foreign: 'people' has tables of another program with Coffer's table names. Choose another schema.",
        "42P01":
            "unavailable: Tables of 'people' are missing: another program erased the store or dropped them. Close the "
            + "store. Then restore the tables from a backup, or open the store again, which creates an empty store.",
        "3F000":
            "unavailable: Tables of 'people' are missing: another program erased the store or dropped them. Close the "
            + "store. Then restore the tables from a backup, or open the store again, which creates an empty store.",
        "42703": "corrupt: The tables of 'people' do not match its model, or its server is too old. Restore the "
            + "tables from a backup, or update the server.",
        "42883": "corrupt: The tables of 'people' do not match its model, or its server is too old. Restore the "
            + "tables from a backup, or update the server.",
        "XX001": "corrupt: 'people' is damaged. Restore it from a backup, or erase the store.",
        "XX002": "corrupt: 'people' is damaged. Restore it from a backup, or erase the store.",
        "XX000": "failed: PostgreSQL failed on 'people'.",
        "54000": "invalidValue: A value is too large for 'people'. Keep indexed and unique values under 2,600 bytes.",
        "54001": "invalidRequest: A request is too large for 'people'. Split the request.",
        "54011": "invalidRequest: A request is too large for 'people'. Split the request.",
        "54023": "invalidRequest: A request is too large for 'people'. Split the request.",
        "22003": "invalidValue: A value does not fit 'people'.",
        "25P02": "failed: The transaction on 'people' failed because of an earlier error. Begin a new transaction.",
        "0A000": "failed: PostgreSQL failed on 'people'.",
    ]

    @Test(arguments: texts) func `each error state has its own message`(_ state: String, _ text: String) {
        let error = PostgreSQLFailure(state: state, words: "words").storageError("people")
        #expect(error.description == text)
        let passes = text.hasPrefix("busy") || text.hasPrefix("full") || text.contains("Try again")
        #expect(error.isRetryable == passes)
    }

    @Test(arguments: [
        (false, false, "failed: libpq failed on 'people': words."),
        (
            true, false,
            "unavailable: The connection to 'people' was lost; uncommitted changes were discarded. Try again."
        ),
        (
            true, true,
            "unavailable: There is no connection to 'people': words. Check address, user and password, that the server "
                + "runs, and that the database exists."
        ),
    ])
    func `each kind of libpq error has its own message`(_ isLost: Bool, _ isOpening: Bool, _ text: String) {
        let failure = PostgreSQLFailure(state: nil, words: "words", isConnectionLost: isLost, isOpening: isOpening)
        #expect(failure.storageError("people").description == text)
        #expect(failure.storageError("people").isRetryable == isLost)
        #expect(failure.storageError("people").cause == "libpq: words")
    }

    @Test(arguments: ["down", "down.", "Is it down?"])
    func `the message of libpq about an unavailable server ends like a sentence`(_ words: String) {
        let failure = PostgreSQLFailure(state: nil, words: words, isConnectionLost: true, isOpening: true)
        let sentence = words == "down" ? "down." : words
        #expect(
            failure.storageError("people").message
                == "There is no connection to 'people': \(sentence) Check address, user and password, that the server "
                + "runs, and that the database exists.")
    }

    @Test(arguments: [String(repeating: "s", count: 64), String(repeating: "é", count: 32)])
    func `a schema whose name is too long is refused`(_ schema: String) throws {
        let text =
            "invalidConfiguration: The name of the schema '\(schema)' has 64 bytes. Choose one with 63 at most."
        let url = "postgresql://localhost/people"
        let option = "\(url)?schema=" + schema.replacing("é", with: "%C3%A9")
        let attempts: [() throws -> PostgreSQLStore] = [
            { try PostgreSQLStore(url: url, schema: schema) }, { try PostgreSQLStore(url: option) },
            { try .make(StorageURL(option)) },
        ]
        for attempt in attempts {
            #expect(#expect(throws: StorageError.self) { try attempt() }?.description == text)
        }
        let longest = try PostgreSQLStore(url: url, schema: String(schema.dropLast()))
        #expect(longest.storeDescription.contains(schema.dropLast()))
    }

    @Test func `a server message that quotes values is not passed on`() {
        let words = "invalid input syntax for type integer: \"s3cret\""
        let error = PostgreSQLFailure(state: "22P02", words: words).storageError("people")
        #expect(error.debugDescription.contains("s3cret") == false)
        #expect(error.cause == "PostgreSQL error 22P02")
    }

    @Test func `an error names the problem, the store and the remedy`() {
        let error = PostgreSQLFailure(state: "55P03", words: "canceling statement due to lock timeout")
            .storageError("people at db:5432")
        #expect(
            error.description == """
                busy: 'people at db:5432' is locked by another writer. Try again, or raise the busy time limit.
                """)
        #expect(error.cause == "PostgreSQL error 55P03: canceling statement due to lock timeout")
        #expect(error.isRetryable)
    }

    @Test func `an unavailable server throws an error without the password`() throws {
        let store = try PostgreSQLStore(url: "postgresql://ann:s3cret@127.0.0.1:1/people?schema=app&connect_timeout=2")
        #expect(store.storeDescription == "PostgreSQLStore 'people.app at 127.0.0.1:1'")
        let error = #expect(throws: StorageError.self) { try store.inspect() }
        #expect(error?.code == .unavailable)
        #expect(error?.debugDescription.contains("s3cret") == false)
        var dumped = ""
        dump(store, to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }

    @Test(
        arguments: [
            ("postgresql://ann:s3cret@%zz/people", .unavailable), ("s3cret", .unavailable),
            ("postgresql://ann:s3cret/s3cret@host/people", .unavailable),
            ("postgresql://ann:123/s3cret@host/people", .unavailable),
            ("postgresql://ann:a@s3cret@host/people", .unavailable),
            ("postgresql://ann:s3cret", .unavailable), ("postgresql://ann:s3cret?sslmode=require", .unavailable),
            ("postgresql://ann:a?s3cret@host/people", .invalidConfiguration),
            ("postgresql://ann:a?b@s3cret@host/people", .invalidConfiguration),
            ("postgresql://ann:a?s3cret=1@host/people", .invalidConfiguration),
            ("postgresql://ann:a?s3cret&b@host/people", .invalidConfiguration),
            ("postgresql://ann:a?s3cret:b=c", .invalidConfiguration),
            ("postgresql://ann:s3cret@host/people?nonsense=s3cret", .invalidConfiguration),
            ("postgresql://ann:s3cret@host/people?pool=none", .invalidConfiguration),
            ("postgresql://ann:s3cret@host/people?schema=", .invalidConfiguration),
        ] as [(String, StorageError.Code)])
    func `the error for an invalid address does not contain the password`(_ url: String, _ code: StorageError.Code) {
        let error = #expect(throws: StorageError.self) { try PostgreSQLStore(url: url) }
        #expect(error?.code == code)
        #expect(error?.debugDescription.contains("s3cret") == false)
        guard url.contains("://") else { return }
        do throws(StorageError) {
            let address = try PostgreSQLAddress("postgresql://host/people", schema: nil, replicas: [url])
            // In libpq, a password may contain '?', and a URL that only libpq reads has no options of Coffer.
            #expect(url.contains("a?") && !address.replicas.contains { $0.name.contains("s3cret") })
        } catch {
            #expect(!error.debugDescription.contains("s3cret"))
        }
    }

    @Test func `the error for an invalid address explains how to encode a password`() {
        let error = #expect(throws: StorageError.self) { try PostgreSQLStore(url: "postgresql://a:b/c@host/people") }
        #expect(
            error?.message == "The address of the PostgreSQL database cannot be read. Give a URL like "
                + "postgresql://user@host/database with '/', '?', '@' and '%' in a password as %2F, %3F, %40 and %25, "
                + "or a string of libpq's keywords.")
    }

    @Test func `a URL sets every option of a store and overrides the configuration`() throws {
        let settings = PostgreSQLConfiguration(
            connectionLimit: 3, idleReaders: 2, statementTimeLimit: 8, keepsStatements: true, repetitionLimit: 1)
        let store = try PostgreSQLStore(
            url: "postgresql://host/people?schema=app&configuration=Small&pool=7&timeout=2&idle-timeout=3&prepare=false"
                + "&replicas=copy&replica-timeout=1&ssl=true", settings: settings)
        #expect(store.storeDescription == "PostgreSQLStore 'people.app at host:5432'")
        #expect(store.configuration == "Small")
        #expect(store.settings.connectionLimit == 7 && store.settings.idleReaders == 2)
        #expect(store.settings.busyTimeLimit == 2 && store.settings.idleTimeLimit == 3)
        #expect(store.settings.statementTimeLimit == 8 && store.settings.repetitionLimit == 1)
        #expect(store.settings.serverCheckInterval == 5)
        #expect(
            try PostgreSQLStore(url: "postgresql://host/people?server-check=2.5").settings.serverCheckInterval == 2.5)
        #expect(try PostgreSQLStore(url: "postgresql://host/people?server-check=0").settings.serverCheckInterval == nil)
        #expect(store.settings.replicas == ["copy"] && store.settings.replicaTimeLimit == 1)
        #expect(!store.settings.keepsStatements)
        let other = try PostgreSQLStore(
            url: "postgresql://host/people?schema=app&configuration=Small", schema: "shop", configuration: "Large")
        #expect(other.storeDescription == "PostgreSQLStore 'people.shop at host:5432'")
        #expect(other.configuration == "Large")
    }

    @Test func `libpq receives timeouts for lost connections unless the URL sets them`() throws {
        func options(_ query: String) throws -> [String: String] {
            let address = try PostgreSQLAddress("postgresql://host/people\(query)", schema: nil)
            return Dictionary(address.options, uniquingKeysWith: { _, last in last })
        }
        let usual = try options("")
        let wanted = [
            "connect_timeout": "10", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
            "tcp_user_timeout": "120000",
        ]
        for (name, value) in wanted { #expect(usual[name] == value) }
        #expect(try options("?tcp_user_timeout=7&keepalives_idle=8")["tcp_user_timeout"] == nil)
        #expect(try options("?connect_timeout=7")["connect_timeout"] == nil)
        #expect(try PostgreSQLAddress("postgresql://host/people?connect_timeout=7", schema: nil).connectTimeout == 7)
        #expect(try PostgreSQLAddress("postgresql://host/people?connect_timeout=0", schema: nil).connectTimeout == 10)
    }

    @Test(arguments: [
        ("postgresql://host/people?schema=a%20b&sslmode=require&pool=3", "postgresql://host/people?sslmode=require"),
        ("postgresql://host/people?schema=app", "postgresql://host/people"),
        ("postgresql://host/people", "postgresql://host/people"),
        ("host=db dbname=people", "host=db dbname=people"),
    ])
    func `libpq receives only its own options`(_ url: String, _ rest: String) throws {
        #expect(try PostgreSQLURLOptions(url).connectionString == rest)
    }
}
