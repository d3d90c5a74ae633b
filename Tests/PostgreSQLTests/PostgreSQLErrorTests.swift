import CofferStorage
import Foundation
import Testing

@testable import CofferPostgreSQL

struct PostgreSQLErrorTests {
    @Test(
        arguments: [
            ("23505", .uniqueViolation), ("40001", .busy), ("40P01", .busy), ("55P03", .busy), ("57014", .busy),
            ("57P01", .unavailable), ("08006", .unavailable), ("53300", .unavailable), ("3D000", .unavailable),
            ("28P01", .unavailable), ("25006", .readOnly), ("42501", .readOnly), ("53100", .full), ("42P07", .foreign),
            ("42P01", .corrupt), ("XX001", .corrupt), ("54000", .invalidValue), ("54001", .invalidRequest),
            ("22003", .invalidValue), ("25P02", .failed), ("0A000", .failed),
        ] as [(String, StorageError.Code)])
    func `each state has its code`(_ state: String, _ code: StorageError.Code) {
        #expect(PostgreSQLFailure(state: state, words: "words").storageError("people").code == code)
    }

    @Test func `what quotes values is not passed on`() {
        let words = "invalid input syntax for type integer: \"s3cret\""
        let error = PostgreSQLFailure(state: "22P02", words: words).storageError("people")
        #expect(error.debugDescription.contains("s3cret") == false)
        #expect(error.cause == "PostgreSQL error 22P02")
    }

    @Test func `an error says what, which one and what to do`() {
        let error = PostgreSQLFailure(state: "55P03", words: "canceling statement due to lock timeout")
            .storageError("people at db:5432")
        #expect(
            error.description == """
                busy: 'people at db:5432' is locked by another writer. Try again, or raise the busy time limit.
                """)
        #expect(error.cause == "PostgreSQL error 55P03: canceling statement due to lock timeout")
        #expect(error.isRetryable)
    }

    @Test func `a server that is not there is unavailable, and its password is not told`() throws {
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
    func `an address that cannot be read is not repeated`(_ url: String, _ code: StorageError.Code) {
        let error = #expect(throws: StorageError.self) { try PostgreSQLStore(url: url) }
        #expect(error?.code == code)
        #expect(error?.debugDescription.contains("s3cret") == false)
        guard url.contains("://") else { return }
        do throws(StorageError) {
            let address = try PostgreSQLAddress("postgresql://host/people", schema: nil, replicas: [url])
            // libpq lets a password have a '?', and a URL that it reads alone has no options of ours.
            #expect(url.contains("a?") && !address.replicas.contains { $0.name.contains("s3cret") })
        } catch {
            #expect(!error.debugDescription.contains("s3cret"))
        }
    }

    @Test func `an address that cannot be read says what to do with a password`() {
        let error = #expect(throws: StorageError.self) { try PostgreSQLStore(url: "postgresql://a:b/c@host/people") }
        #expect(
            error?.message == "The address of the PostgreSQL database cannot be read. Give a URL like "
                + "postgresql://user@host/database with '/', '?', '@' and '%' in a password as %2F, %3F, %40 and %25, "
                + "or a string of libpq's keywords.")
    }

    @Test func `a URL says all that a configuration of a store says, and wins over what it was made with`() throws {
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
        #expect(store.settings.replicas == ["copy"] && store.settings.replicaTimeLimit == 1)
        #expect(!store.settings.keepsStatements)
        let other = try PostgreSQLStore(
            url: "postgresql://host/people?schema=app&configuration=Small", schema: "shop", configuration: "Large")
        #expect(other.storeDescription == "PostgreSQLStore 'people.shop at host:5432'")
        #expect(other.configuration == "Large")
    }

    @Test(arguments: [
        ("postgresql://host/people?schema=a%20b&sslmode=require&pool=3", "postgresql://host/people?sslmode=require"),
        ("postgresql://host/people?schema=app", "postgresql://host/people"),
        ("postgresql://host/people", "postgresql://host/people"),
        ("host=db dbname=people", "host=db dbname=people"),
    ])
    func `libpq is given what is its own`(_ url: String, _ rest: String) throws {
        #expect(try PostgreSQLOptions(url).connectionString == rest)
    }
}
