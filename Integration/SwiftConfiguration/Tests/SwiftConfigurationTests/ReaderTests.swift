import Coffer
import CofferConfiguration
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import CofferSwiftConfiguration
import Configuration
import Foundation
import Testing

/// Tests the store that a configuration creates with several providers, and the errors if it creates none.
struct ReaderTests {
    private func reader(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigReader {
        ConfigReader(provider: InMemoryProvider(values: values))
    }

    private func error(of make: () throws -> StorageConfiguration) throws -> StorageError {
        try #require(#expect(throws: StorageError.self) { try make().makeStorage() })
    }

    @Test func `a scope configures a store, with options that are strings, numbers or flags`() throws {
        let config = reader([
            "database.url": "sqlite:///tmp/a%20b%3F.sqlite?synchronous=full&cache=8",
            "database.cache": 16, "database.timeout": 0.5, "database.readers": "2", "database.recreate": true,
            "database.configuration": "Small", "url": "memory:",
        ])
        let store = try #require(
            try StorageConfiguration(reader: config, scope: "database").makeStorage() as? SQLiteStore)
        #expect(store.fileURL.path == "/tmp/a b?.sqlite")
        #expect(store.configuration == "Small")
        #expect(store.localStorageOptions == .recreateStoreOnModelMismatch)
        #expect(store.settings.synchronous == .full)
        #expect(store.settings.cacheSize == 16 << 20)
        #expect(store.settings.busyTimeLimit == 0.5)
        #expect(store.settings.idleReaders == 2)
        let scoped = try StorageConfiguration(reader: config.scoped(to: "database"), scope: []).makeStorage()
        #expect((scoped as? SQLiteStore)?.fileURL == store.fileURL)
        #expect(try StorageConfiguration(reader: config, scope: []).makeStorage() is InMemoryStore)
    }

    @Test func `environment variables have the same names with and without a provider`() throws {
        let environment = [
            "COFFER_URL": "postgresql://ann@db:5433/app?pool=1", "COFFER_POOL": "7", "COFFER_SCHEMA": "shop",
            "COFFER_STATEMENT_TIMEOUT": "9", "COFFER_IDLE_TIMEOUT": "1.5", "COFFER_PREPARE": "false",
            "COFFER_APPLICATION_NAME": "100 % ours",
        ]
        let config = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
        let configuration = try StorageConfiguration(reader: config)
        #expect(try configuration.url == StorageConfiguration(environment: environment).url)
        let store = try #require(try configuration.makeStorage() as? PostgreSQLStore)
        #expect(store.storeDescription == "PostgreSQLStore 'app.shop at db:5433'")
        #expect(store.settings.connectionLimit == 7)
        #expect(store.settings.statementTimeLimit == 9)
        #expect(store.settings.idleTimeLimit == 1.5)
        #expect(!store.settings.keepsStatements)
        #expect(configuration.url.options.contains(.init("application_name", "100 % ours")))
    }

    @Test func `a file configures a store by scheme and path, and the environment overrides the file`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "50 % of #1.sqlite").path(percentEncoded: false)
        let database: [String: Any] = [
            "scheme": "sqlite", "path": path, "readers": 3, "timeout": 0.25, "recreate": true, "synchronous": "full",
        ]
        let file = folder.url.appending(path: "app.json")
        try JSONSerialization.data(withJSONObject: ["database": database]).write(to: file)
        let json = try await FileProvider<JSONSnapshot>(filePath: .init(file.path(percentEncoded: false)))
        let store = try #require(
            try StorageConfiguration(reader: ConfigReader(provider: json), scope: "database").makeStorage()
                as? SQLiteStore)
        #expect(store.fileURL.path(percentEncoded: false) == path)
        #expect(store.settings.idleReaders == 3)
        #expect(store.settings.busyTimeLimit == 0.25)
        #expect(store.localStorageOptions == .recreateStoreOnModelMismatch)
        #expect(store.settings.synchronous == .full)

        let environment = EnvironmentVariablesProvider(environmentVariables: ["DATABASE_READERS": "9"])
        let both = try StorageConfiguration(
            reader: ConfigReader(providers: [environment, json]), scope: "database"
        )
        .makeStorage()
        #expect((both as? SQLiteStore)?.settings.idleReaders == 9)
        let elsewhere = EnvironmentVariablesProvider(environmentVariables: ["DATABASE_URL": "memory:"])
        let memory = try StorageConfiguration(
            reader: ConfigReader(providers: [elsewhere, json]), scope: "database"
        )
        .makeStorage()
        #expect(memory is InMemoryStore)
    }

    @Test func `a snapshot of the configuration keeps its store after the configuration changes`() throws {
        let provider = MutableInMemoryProvider(initialValues: ["coffer.url": "sqlite:///tmp/old.sqlite"])
        let config = ConfigReader(provider: provider)
        let snapshot = config.snapshot()
        provider.setValue("memory:", forKey: "coffer.url")
        #expect(try StorageConfiguration(snapshot: snapshot).makeStorage() is SQLiteStore)
        #expect(try StorageConfiguration(reader: config).makeStorage() is InMemoryStore)
    }

    @Test func `the error for a missing store names the configuration key`() throws {
        let config = reader(["url": "memory:", "coffer.path": "/tmp/x.sqlite"])
        #expect(
            try error { try StorageConfiguration(reader: config) }.description
                == "invalidConfiguration: No store is named. Set 'coffer.url', for example to memory:, sqlite:///path "
                + "or postgresql://user@host/database.")
        let message = try error { try StorageConfiguration(reader: config, scope: "app.database") }.message
        #expect(message.hasPrefix("No store is named. Set 'app.database.url', for example to "))
    }

    @Test(arguments: [
        ("url", "sqlite:///x?sync=full"), ("url", "redis://host"), ("url", "/tmp/x.sqlite"),
        ("synchronous", "off"), ("cache", "-1"), ("readers", "1.5"), ("recreate", "yes"),
    ])
    func `an invalid option throws the same error as in a URL`(_ name: String, _ value: String) throws {
        var values: [AbsoluteConfigKey: ConfigValue] = ["coffer.url": "sqlite:///x"]
        values[AbsoluteConfigKey(["coffer", name])] = .init(.string(value), isSecret: false)
        let config = reader(values)
        let expected = try error { try StorageConfiguration(name == "url" ? value : "sqlite:///x?\(name)=\(value)") }
        let actual = try error { try StorageConfiguration(reader: config) }
        #expect(actual.code == .invalidConfiguration)
        #expect(actual.message == expected.message)
    }

    @Test func `a fraction for an integer option is refused`() throws {
        let config = reader(["coffer.url": "sqlite:///x", "coffer.readers": 1.5])
        let message = try error { try StorageConfiguration(reader: config) }.message
        #expect(message == "The option 'readers' should be a whole number, 0 to 1024.")
    }

    @Test func `a list and a value that a provider cannot read are refused`() throws {
        let list = reader([
            "coffer.url": "memory:", "coffer.configuration": .init(.stringArray(["a", "b"]), isSecret: false),
        ])
        let message = "'coffer.configuration' cannot be read. It should be a string, a number, or true or false."
        #expect(try error { try StorageConfiguration(reader: list) }.message == message)
        let broken = ConfigReader(providers: [
            BrokenProvider(key: "coffer.configuration"), InMemoryProvider(values: ["coffer.url": "memory:"]),
        ])
        let failure = try error { try StorageConfiguration(reader: broken) }
        #expect(failure.message == message)
        #expect(failure.cause?.contains("out of reach") == true)
    }

    @Test func `secrets do not appear in access reports or errors`() throws {
        let reports = Reports()
        let config = ConfigReader(
            provider: InMemoryProvider(values: [
                "a.url": "postgresql://ann:hunter2@db/app", "a.password": "hunter3", "a.user": "ann", "a.pool": "many",
                "b.url": "sqlite://ann:hunter4@host/x", "c.url": "postgresql://ann:hunter5@db/app?hunter=6",
                "d.url": .init(.stringArray(["hunter7"]), isSecret: false),
            ]), accessReporter: reports)
        for scope in ["a", "b", "c", "d"] {
            let error = try error { try StorageConfiguration(reader: config, scope: ConfigKey(scope)) }
            #expect(!error.debugDescription.replacing("option 'hunter'", with: "").contains("hunter"))
        }
        #expect(!reports.text.contains("hunter"))
        #expect(reports.text.contains(#"a.password -> "<REDACTED>""#))
        #expect(reports.text.contains(#"a.pool -> "many""#))
        let configuration = try StorageConfiguration(
            reader: reader(["coffer.url": "postgresql://ann:hunter2@db/app", "coffer.password": "hunter3"]))
        #expect(configuration.description == "postgresql://db/app")
        let broken = ConfigReader(providers: [
            BrokenProvider(key: "coffer.password"), InMemoryProvider(values: ["coffer.url": "postgresql://db/app"]),
        ])
        #expect(try error { try StorageConfiguration(reader: broken) }.cause == nil)
    }
}
