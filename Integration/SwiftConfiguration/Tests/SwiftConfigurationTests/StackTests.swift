import Coffer
import CofferConfiguration
import CofferStorage
import CofferSwiftConfiguration
import Configuration
import Foundation
import Testing

/// Opens stores and uses them.
@MainActor
struct StackTests {
    final class Note: CoreStoreObject {
        @Field.Stored("text") var text: String = ""
    }

    nonisolated static let server = ProcessInfo.processInfo.environment["COFFER_POSTGRES_URL"].flatMap {
        $0.isEmpty ? nil : $0
    }

    private func writeAndRead(_ config: ConfigReader) throws {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")])
        let texts = ["One", "Two"]
        let storage = try StorageConfiguration(reader: config, scope: "database").makeStorage()
        let stack = DataStack(schema)
        try stack.addStorageAndWait(storage)
        try stack.perform(synchronous: { transaction in
            for text in texts { transaction.create(Into<Note>()).text = text }
        })
        #expect(try stack.fetchAll(From<Note>().orderBy(.ascending(\.$text))).map(\.text) == texts)
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try storage.erase()
    }

    @Test func `a store in memory is opened`() throws {
        try writeAndRead(ConfigReader(provider: InMemoryProvider(values: ["database.scheme": "memory"])))
    }

    @Test func `a file whose name has spaces and percent signs is opened`() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "50 % of %20.sqlite").path(percentEncoded: false)
        let config = ConfigReader(
            provider: EnvironmentVariablesProvider(
                environmentVariables: ["DATABASE_SCHEME": "sqlite", "DATABASE_PATH": path]))
        let storage = try StorageConfiguration(reader: config, scope: "database").makeStorage()
        let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
        try stack.addStorageAndWait(storage)
        #expect(FileManager.default.fileExists(atPath: path))
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try storage.erase()
        try writeAndRead(config)
    }

    @Test(.enabled(if: server != nil, "set COFFER_POSTGRES_URL, for instance to what scripts/postgres up prints"))
    func `a PostgreSQL schema whose name has spaces and percent signs is opened`() throws {
        let schema = "50 % of \(UUID().uuidString)"
        try writeAndRead(
            ConfigReader(
                provider: InMemoryProvider(values: [
                    "database.url": .init(.string(try #require(Self.server)), isSecret: true),
                    "database.schema": .init(.string(schema), isSecret: false), "database.pool": 2,
                ])))
    }
}
