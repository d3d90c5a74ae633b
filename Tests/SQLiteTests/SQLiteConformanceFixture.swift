import CofferConformance
import CofferSQLite
import CofferStorage
import Foundation

/// A file in a directory of its own.
struct SQLiteConformanceFixture: StorageFixture {
    static let isShared = true

    private let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-\(UUID().uuidString)")

    func makeStore() -> any StorageInterface { SQLiteStore(fileURL: directory.appending(path: "town.sqlite")) }

    func destroy() { try? FileManager.default.removeItem(at: directory) }
}
