import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// The effects of a load on its destination and on the files beside it.
final class SQLiteLoadingTests {
    private static let model = StoreModel(
        version: "V1",
        entities: [EntityDescription(name: "Ship", attributes: [.init(name: "name", type: .stringAttributeType)])])

    private let directory: URL
    private let url: URL

    init() throws {
        directory = try TemporaryDirectory.make()
        url = directory.appending(path: "ships.sqlite")
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false)).sorted()
    }

    private func load(_ verify: (any StorageReader) throws(StorageError) -> Void = { _ in }) throws {
        try SQLiteStore(fileURL: url).load(ModelLayout(Self.model), as: UUID(), fill: { _ in }, verify: verify)
    }

    @Test func `an incomplete file has a temporary name beside its destination`() throws {
        var meanwhile: [String] = []
        try load { _ in meanwhile = (try? self.names()) ?? [] }
        #expect(meanwhile.count == 1)
        #expect(meanwhile.first?.hasPrefix("ships.sqlite.loading-") == true)
        #expect(try names() == ["ships.sqlite"])
    }

    @Test func `a failed load leaves no file`() throws {
        #expect(throws: StorageError.self) {
            try self.load { _ throws(StorageError) in throw StorageError(.failed, "Not so.") }
        }
        #expect(try names() == [])
    }

    @Test func `the draft of a killed process is removed, and the draft of a running process is kept`() throws {
        let abandoned = url.path(percentEncoded: false) + ".loading-1"
        #expect(FileManager.default.createFile(atPath: abandoned, contents: Data("x".utf8)))
        let other = try SQLiteDraft(of: url)
        let name = URL(filePath: other.path).lastPathComponent
        #expect(try names() == [name])
        try load()
        #expect(try names() == ["ships.sqlite", name])
        other.discard()
        #expect(try names() == ["ships.sqlite"])
    }

    @Test func `a file that appears during a load is kept, and the load is refused`() throws {
        let error = #expect(throws: StorageError.self) {
            try self.load { _ in try? Data("mine".utf8).write(to: self.url) }
        }
        #expect(
            error?.description == "unavailable: Something exists at '\(url.path)' already. Choose another place, or "
                + "remove it (load, SQLiteStore '\(url.path)').")
        #expect(try Data(contentsOf: url) == Data("mine".utf8))
        #expect(try names() == ["ships.sqlite"])
    }

    @Test(arguments: ["", "-wal", "-journal"])
    func `a load is refused if the file, its log or its journal exists`(_ suffix: String) throws {
        #expect(FileManager.default.createFile(atPath: url.path(percentEncoded: false) + suffix, contents: Data()))
        let error = #expect(throws: StorageError.self) { try self.load() }
        #expect(error?.code == .unavailable)
    }
}
