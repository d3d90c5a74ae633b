import CofferConformance
import CofferStorage
import Foundation
import JSONFileStorage

/// Creates the store in a separate directory.
struct JSONFileFixture: StorageFixture {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "json-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    func makeStore() -> any StorageInterface { JSONFileStore(fileURL: directory.appending(path: "town.json")) }

    func destroy() { try? FileManager.default.removeItem(at: directory) }
}
