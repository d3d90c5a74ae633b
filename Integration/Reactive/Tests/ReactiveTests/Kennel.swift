import Coffer
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import Foundation
import Testing

/// A dog with a unique number.
final class Dog: CoreStoreObject, ImportableUniqueObject {
    struct Mood: Codable, Equatable {
        var colour = "grey"
    }

    /// The source of an imported dog.
    struct Source {
        var number: Int
        var name: String
        var isRefused = false
    }

    /// Thrown by the import of a refused source.
    struct Refusal: Error, Equatable {}

    @Field.Stored("number") var number: Int = 0
    @Field.Stored("name") var name: String = ""
    @Field.Coded("mood", coder: FieldCoders.Json.self) var mood: Mood = Mood()
    @Field.Virtual("label", customGetter: { object, _ in "\(object.$name.value) #\(object.$number.value)" })
    var label: String

    typealias ImportSource = Source
    static var uniqueIDKeyPath: String { "number" }

    static func uniqueID(from source: Source, in transaction: BaseDataTransaction) throws -> Int? { source.number }

    static func shouldInsert(from source: Source, in transaction: BaseDataTransaction) -> Bool { source.number >= 0 }

    func didInsert(from source: Source, in transaction: BaseDataTransaction) throws {
        if source.isRefused { throw Refusal() }
        (number, name) = (source.number, source.name)
    }

    func update(from source: Source, in transaction: BaseDataTransaction) throws {
        try didInsert(from: source, in: transaction)
    }
}

/// The dog of the first version of the model.
final class OldDog: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Stored("name") var name: String = ""
}

/// The backends that every rule is tested on.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite, postgresql

    /// All backends; PostgreSQL only if a server is known.
    static var all: [Backend] { server == nil ? [.memory, .sqlite] : allCases }
    private static var server: String? { ProcessInfo.processInfo.environment["COFFER_POSTGRES_URL"] }

    var testDescription: String { rawValue }

    /// Runs the closure with an empty stack, and with a store that is not added yet.
    @MainActor
    func withStore(_ body: @MainActor (DataStack, any StorageInterface) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reactive-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store: any StorageInterface =
            switch self {
            case .memory: InMemoryStore()
            case .sqlite: SQLiteStore(fileURL: folder.appending(path: "kennel.sqlite"))
            case .postgresql:
                try PostgreSQLStore(url: Self.server ?? "", schema: "reactive_\(UUID().uuidString.lowercased())")
            }
        let stack = DataStack(CoreStoreSchema(modelVersion: "V2", entities: [Entity<Dog>("Dog")]))
        try await body(stack, store)
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try store.erase()
    }

    /// Runs the closure with a stack whose store has dogs.
    @MainActor
    func withKennel(
        _ dogs: KeyValuePairs<String, Int> = [:], _ body: @MainActor (DataStack) async throws -> Void
    ) async throws {
        try await withStore { stack, store in
            func add<S: StorageInterface>(_ store: S) throws { try stack.addStorageAndWait(store) }
            if let local = store as? SQLiteStore { try stack.addStorageAndWait(local) } else { try add(store) }
            try stack.perform(synchronous: { transaction in
                for (name, number) in dogs {
                    let dog = transaction.create(Into<Dog>())
                    (dog.name, dog.number) = (name, number)
                }
            })
            try await body(stack)
        }
    }
}
