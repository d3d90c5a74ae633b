import Coffer
import CofferConfiguration
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

/// The stores that configuration strings create, and the errors for strings that create no store.
@MainActor
struct StorageConfigurationTests {
    final class Note: CoreStoreObject {
        @Field.Stored("text") var text: String = ""
    }

    @Test func `a memory URL creates a separate store each time`() throws {
        let configuration = try StorageConfiguration("memory:?configuration=Small")
        let store = try #require(try configuration.makeStorage() as? InMemoryStore)
        #expect(store.configuration == "Small")
        #expect(try configuration.makeStorage() !== store)
        #expect(try StorageConfiguration("MEMORY://").makeStorage() is InMemoryStore)
    }

    @Test func `a SQLite URL sets every option of a store`() throws {
        let url = "sqlite:///tmp/a%20b%3F.sqlite?synchronous=full&cache=8&timeout=0.5&readers=2&pages=100"
        let store = try #require(
            try StorageConfiguration(url + "&configuration=Small&recreate=true").makeStorage() as? SQLiteStore)
        #expect(store.fileURL.path == "/tmp/a b?.sqlite")
        #expect(store.configuration == "Small")
        #expect(store.localStorageOptions == .recreateStoreOnModelMismatch)
        #expect(store.settings.synchronous == .full)
        #expect(store.settings.cacheSize == 8 << 20)
        #expect(store.settings.busyTimeLimit == 0.5)
        #expect(store.settings.idleReaders == 2)
        #expect(store.settings.maximumPageCount == 100)
        let plain = try #require(try StorageConfiguration("sqlite:notes.sqlite").makeStorage() as? SQLiteStore)
        #expect(plain.fileURL.path == URL(fileURLWithPath: "notes.sqlite").path)
        #expect(plain.settings.synchronous == .normal)
    }

    @Test(arguments: [
        ("", "The URL of a store begins with a scheme, such as memory: or sqlite:///path. This URL has no scheme."),
        (
            "/tmp/notes.sqlite",
            "The URL of a store begins with a scheme, such as memory: or sqlite:///path. This URL has no scheme."
        ),
        (
            "redis://host",
            "There is no store for 'redis:'. "
                + "Use memory:, sqlite:///path or postgresql://user@host/database, or register a backend of your own."
        ),
        ("memory:?cache=1", "'memory' has no option 'cache'. It supports 'configuration'."),
        (
            "sqlite:///x?sync=full",
            "'sqlite' has no option 'sync'. It supports 'cache', "
                + "'configuration', 'pages', 'readers', 'readonly', 'recreate', 'synchronous', 'timeout'."
        ),
        ("sqlite:///x?cache", "The option 'cache' has no value. Write it as 'name=value'."),
        ("sqlite:///x?cache=1&cache=2", "The option 'cache' is given twice."),
        (
            "sqlite:///x?cache=%G0",
            "A '%' in the value of 'cache' is not followed by two hexadecimal digits. Write '%25'."
        ),
    ])
    func `a string that does not name a store throws an error with a remedy`(_ url: String, _ message: String) {
        let error = #expect(throws: StorageError.self) { try StorageConfiguration(url) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message == message)
    }

    @Test(arguments: [
        ("memory:/tmp", "'memory:/tmp' names a place, but memory has no place. Write 'memory:'."),
        ("sqlite:", "'sqlite:' has no path to a file. Write sqlite:///path."),
        ("sqlite:///", "'sqlite:///' has no path to a file. Write sqlite:///path."),
        ("sqlite:///tmp/", "'sqlite:///tmp/' has no path to a file. Write sqlite:///path."),
        (
            "sqlite://tmp/x",
            "'sqlite://tmp/x' names a host, but a file has no host. "
                + "Write three slashes before an absolute path, and no slashes before a relative path."
        ),
        ("sqlite:///x?cache=-1", "The option 'cache' should be a whole number, 0 to 1048576."),
        ("sqlite:///x?timeout=soon", "The option 'timeout' should be a number of seconds, 0 or more."),
        ("sqlite:///x?recreate=yes", "The option 'recreate' should be true or false."),
        ("sqlite:///x?synchronous=off", "The option 'synchronous' should be normal or full."),
    ])
    func `an invalid option value throws an error that names the valid values`(_ url: String, _ message: String) throws
    {
        let configuration = try StorageConfiguration(url)
        let error = #expect(throws: StorageError.self) { try configuration.makeStorage() }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message == message)
    }

    @Test func `neither a description nor an error shows a password`() throws {
        let url = try StorageURL("postgresql://ann:hun%74er2@host:5432/app?password=hunter3&sslmode=require")
        #expect(url.description == "postgresql://host:5432/app")
        #expect(url.text == "postgresql://ann:hun%74er2@host:5432/app?password=hunter3&sslmode=require")
        for query in ["password=hun&ter2", "password=hun&ter2=1", "password=hun&ter2=1&ter2=2"] {
            let error = #expect(throws: StorageError.self) {
                try StorageConfiguration("postgresql://host/app?user=ann&\(query)")
            }
            #expect(error?.message.contains("ter2") == false && error?.message.contains("%26") == true)
        }
        var dumped = ""
        dump(try StorageConfiguration(url.text), to: &dumped)
        dump(url.options, to: &dumped)
        print(url.options, to: &dumped)
        #expect(dumped.contains("host:5432") && !dumped.contains("ter2") && !dumped.contains("hunter3"))
        for (text, shown) in [
            ("postgresql://ann:hun/ter2@host/app", "postgresql://host/app"),
            ("postgresql://ann:hun@ter2@host/app", "postgresql://host/app"),
            ("postgresql:///ann:hunter2@host/app", "postgresql:///host/app"),
            ("postgresql:ann:hunter2@host", "postgresql:host"),
            ("postgresql://ann:hun?ter2=1@host/app", "postgresql://…"),
            ("postgresql://ann:hun/ter?2=1@host/app", "postgresql://…"),
            ("postgresql://host:5432,other/app", "postgresql://host:5432,other/app"),
            ("postgresql://[::1]/app", "postgresql://[::1]/app"),
            ("sqlite:///tmp/ann@host/a.sqlite", "sqlite:///tmp/ann@host/a.sqlite"),
            ("sqlite:ann@host.sqlite", "sqlite:ann@host.sqlite"),
        ] {
            #expect(try StorageURL(text).description == shown)
        }
        let failure = #expect(throws: StorageError.self) {
            try StorageConfiguration("sqlite://ann:hunter2@host/x").makeStorage()
        }
        #expect(failure?.debugDescription.contains("hunter") == false)
        #expect(failure?.message.hasPrefix("'sqlite://host/x' names a host") == true)
    }

    @Test(arguments: [
        "postgresql://ann:a?hunter2@host/app", "postgresql://ann:a?hunter2=1@host/app",
        "postgresql://ann:a?hunter2&b@host/app", "postgresql://ann:a?hunter2=1&hunter2=2@host/app",
        "postgresql://ann:a?hunter2:b", "postgresql://ann:a?hunter2=%zz@host/app",
        "postgresql://ann:hun/ter2@host/app", "postgresql://ann:12/hunter2@host/app",
        "postgresql://ann:a@hunter2@host/app",
    ])
    func `a password that is not encoded throws an error without the password`(_ url: String) {
        let error = #expect(throws: StorageError.self) { try StorageConfiguration(url).makeStorage() }
        #expect(error?.debugDescription.contains("hun") == false)
        #expect(error?.debugDescription.contains("ter2") == false)
        #expect(error?.message.contains("%2F") == true || error?.message.contains("'%25'") == true)
    }

    @Test func `the environment names a store, and its variables override the URL's options`() throws {
        let environment = [
            "COFFER_URL": "sqlite:///tmp/x.sqlite?readers=2&cache=1", "COFFER_READERS": "7", "COFFER_SEED": "1",
            "APP_URL": "memory:",
        ]
        let store = try #require(try StorageConfiguration(environment: environment).makeStorage() as? SQLiteStore)
        #expect(store.settings.idleReaders == 7)
        #expect(store.settings.cacheSize == 1 << 20)
        #expect(try StorageConfiguration(environment: environment, prefix: "APP").makeStorage() is InMemoryStore)
        let error = #expect(throws: StorageError.self) { try StorageConfiguration(environment: [:], prefix: "APP") }
        #expect(
            error?.message.hasPrefix(
                "No store is named. Set the environment variable APP_URL, for example to memory:, sqlite:///path"
            ) == true)
    }

    @Test func `a PostgreSQL URL accepts the options of libpq and of Coffer`() throws {
        let url =
            "postgresql://ann:hun%74er2@db.example:5433/app?schema=shop&pool=7&sslmode=require&application_name=a%20b"
        let store = try #require(
            try StorageConfiguration(url + "&timeout=2&statement-timeout=9&readers=1&prepare=false").makeStorage()
                as? PostgreSQLStore)
        #expect(store.storeDescription == "PostgreSQLStore 'app.shop at db.example:5433'")
        #expect(store.settings.connectionLimit == 7)
        #expect(store.settings.busyTimeLimit == 2)
        #expect(store.settings.statementTimeLimit == 9)
        #expect(store.settings.idleReaders == 1)
        #expect(!store.settings.keepsStatements)
        #expect(try StorageConfiguration("postgres:///app").makeStorage() is PostgreSQLStore)
        let error = #expect(throws: StorageError.self) { try StorageConfiguration("postgresql:///app?sslmod=require") }
        #expect(
            error?.message.hasPrefix("'postgresql' has no option 'sslmod'. Did you mean 'sslmode'? It supports ")
                == true)
        // libpq has dozens of options: the error lists the similar ones.
        #expect(error?.message.contains("'schema'") == false)
        #expect(error?.message.contains(", such as 'sslmode', 'ssl") == true)
        let mode = #expect(throws: StorageError.self) {
            try StorageConfiguration("postgresql:///app?sslmode=on").makeStorage()
        }
        #expect(
            mode?.description
                == "invalidConfiguration: The option 'sslmode' should be disable, allow, prefer, require, verify-ca or "
                + "verify-full.")
    }

    @Test func `a PostgreSQL URL may name replicas`() throws {
        let url = "postgresql:///app?replicas=copy,%5B::1%5D:5433"
        let store = try #require(
            try StorageConfiguration(url + "&replica-timeout=2").makeStorage() as? PostgreSQLStore)
        #expect(store.settings.replicas == ["copy", "[::1]:5433"])
        #expect(store.settings.replicaTimeLimit == 2)
        for option in ["replicas=copy,", "replicas=copy:0", "replicas=postgresql://copy", "replica-timeout=soon"] {
            let name = option.prefix { $0 != "=" }
            let error = #expect(throws: StorageError.self) {
                try StorageConfiguration("postgresql:///app?" + option).makeStorage()
            }
            #expect(error?.code == .invalidConfiguration)
            #expect(error?.message.hasPrefix("The option '\(name)' should be ") == true)
        }
        let error = #expect(throws: StorageError.self) { try StorageConfiguration("postgresql:///app?replica=copy") }
        #expect(
            error?.message.hasPrefix("'postgresql' has no option 'replica'. Did you mean 'replicas'? It supports ")
                == true)
    }

    @Test func `a closure can supply the settings`() throws {
        let settings = ["storage.url": "memory:", "storage.configuration": "Small"]
        let configuration = try StorageConfiguration { settings["storage.\($0)"] }
        #expect(try configuration.makeStorage().configuration == "Small")
        #expect(throws: StorageError.self) { try StorageConfiguration { _ in nil } }
    }

    @Test func `a scheme and a path replace a URL, and the path is not percent-decoded`() throws {
        let folder = try TemporaryDirectory.make()
        for (path, place) in [
            ("\(folder.path)/50 % of #1?.sqlite", "\(folder.path)/50 % of #1?.sqlite"),
            ("a%20b.sqlite", URL(fileURLWithPath: "a%20b.sqlite").path),
        ] {
            let settings = ["scheme": "SQLite", "path": path, "readers": "7", "recreate": "1", "pool": "no option"]
            let store = try #require(try StorageConfiguration { settings[$0] }.makeStorage() as? SQLiteStore)
            #expect(store.fileURL.path == place)
            #expect(store.settings.idleReaders == 7)
            #expect(store.localStorageOptions == .recreateStoreOnModelMismatch)
        }
        let server = ["SCHEME": "postgresql", "PATH": "/app", "HOST": "db", "PASSWORD": "hunter2", "SCHEMA": "shop"]
        let environment = Dictionary(uniqueKeysWithValues: server.map { ("APP_\($0)", $1) })
        let store = try StorageConfiguration(environment: environment, prefix: "APP").makeStorage()
        #expect(store.storeDescription.hasPrefix("PostgreSQLStore 'app.shop at db"))
        #expect(try StorageConfiguration { ["scheme": "memory"][$0] }.makeStorage() is InMemoryStore)
        let both = ["url": "memory:", "scheme": "sqlite", "path": "/tmp/x.sqlite"]
        #expect(try StorageConfiguration { both[$0] }.makeStorage() is InMemoryStore)
    }

    @Test(arguments: [
        ("sqlite:", "The scheme of the store is not valid. Use a word, such as memory or sqlite."),
        (
            "redis",
            "There is no store for 'redis:'. "
                + "Use memory:, sqlite:///path or postgresql://user@host/database, or register a backend of your own."
        ),
    ])
    func `an unknown scheme throws an error that names the valid schemes`(_ scheme: String, _ message: String) {
        let error = #expect(throws: StorageError.self) { try StorageConfiguration { ["scheme": scheme][$0] } }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message == message)
        let pathless = #expect(throws: StorageError.self) {
            try StorageConfiguration { ["scheme": "sqlite"][$0] }.makeStorage()
        }
        #expect(pathless?.message == "'sqlite://' has no path to a file. Write sqlite:///path.")
    }

    @Test func `only passwords are secret options`() {
        let secrets = PostgreSQLStore.urlOptions.filter(\.isSecret).map(\.name)
        #expect(secrets.contains("password") && secrets.contains("sslpassword"))
        #expect(!secrets.contains("user") && !secrets.contains("schema"))
        #expect(SQLiteStore.urlOptions.allSatisfy { !$0.isSecret })
    }

    @Test func `one program runs on memory or SQLite, as a URL string selects`() throws {
        let folder = try TemporaryDirectory.make()
        for url in ["memory:", "sqlite://\(folder.path)/notes.sqlite"] {
            let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
            try stack.addStorageAndWait(try StorageConfiguration(url).makeStorage())
            try stack.perform(synchronous: { $0.create(Into<Note>()).text = "Hello" })
            #expect(try stack.fetchAll(From<Note>()).map(\.text) == ["Hello"])
            stack.unsafeRemoveAllPersistentStoresAndWait()
        }
    }

    @Test func `a store from a URL is identified by its file and is recreated if the URL allows it`()
        throws
    {
        final class Word: CoreStoreObject {
            @Field.Stored("text") var text: String = ""
        }
        let url = "sqlite://\(try TemporaryDirectory.make().path)/notes.sqlite"
        let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
        let storage = try stack.addStorageAndWait(try StorageConfiguration(url).makeStorage())
        #expect(try stack.addStorageAndWait(try StorageConfiguration(url).makeStorage()) === storage)
        stack.unsafeRemoveAllPersistentStoresAndWait()
        let other = DataStack(CoreStoreSchema(modelVersion: "V2", entities: [Entity<Word>("Word")]))
        #expect(throws: CoreStoreError.self) {
            try other.addStorageAndWait(try StorageConfiguration(url).makeStorage())
        }
        try other.addStorageAndWait(try StorageConfiguration(url + "?recreate=true").makeStorage())
        #expect(try other.fetchCount(From<Word>()) == 0)
    }
}
