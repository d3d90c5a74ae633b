import CofferConfiguration
import CofferSQLite
import CofferStorage
import CofferStorageTools
import Foundation

/// A directory, and a schema where there is a server, for the stores of one test; removed with it.
final class Place {
    let directory: URL
    private let prefix = "command_\(UUID().uuidString.lowercased().prefix(8))"
    private var schemas: [String] = []

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "coffer-command-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        for url in schemas { try? StorageConfiguration(url).makeStorage().erase() }
        try? FileManager.default.removeItem(at: directory)
    }

    /// The URL of a file.
    func sqlite(_ name: String) -> String { "sqlite://" + file(name).path(percentEncoded: false) }

    func file(_ name: String) -> URL { directory.appending(path: name + ".sqlite") }

    /// The URL of a schema; nil where there is no server.
    func postgresql(_ name: String) -> String? {
        guard let server = Self.server else { return nil }
        let url = "\(server)\(server.contains("?") ? "&" : "?")schema=\(prefix)_\(name)"
        schemas.append(url)
        return url
    }

    static var server: String? {
        ProcessInfo.processInfo.environment["COFFER_POSTGRES_URL"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The names of the files.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false)).sorted()
    }

    /// What a store says of itself; nil where there is none.
    func metadata(_ url: String) throws -> StoreMetadata? { try StorageConfiguration(url).makeStorage().inspect() }

    /// Makes a store at a URL.
    func make(
        _ url: String, _ model: StoreModel, as id: UUID = UUID(),
        _ fill: (any StorageLoader, ModelLayout) throws(StorageError) -> Void
    ) throws {
        let layout = try ModelLayout(model)
        try StorageConfiguration(url).makeStorage().load(layout, as: id) { loader throws(StorageError) in
            try fill(loader, layout)
        }
    }

    /// Runs the body with a store, open.
    func withStore<Result>(_ url: String, _ body: (any StorageInterface, ModelLayout) throws -> Result) throws -> Result
    {
        let store = try StorageConfiguration(url).makeStorage()
        guard let metadata = try store.inspect() else { throw CocoaError(.fileNoSuchFile) }
        let layout = try ModelLayout(metadata.model)
        _ = try store.open(layout)
        defer { store.close() }
        return try body(store, layout)
    }
}
