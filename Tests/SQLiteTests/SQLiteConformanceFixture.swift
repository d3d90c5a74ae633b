import CofferConformance
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport

/// A fixture with a file in a directory of its own.
struct SQLiteConformanceFixture: StorageFixture {
    static let isShared = true

    private let directory: URL

    init() throws { directory = try TemporaryDirectory.make() }

    func makeStore() -> any StorageInterface { SQLiteStore(fileURL: directory.appending(path: "town.sqlite")) }

    func destroy() { try? FileManager.default.removeItem(at: directory) }
}
