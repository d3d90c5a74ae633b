package import CofferSQLite
package import CofferStorage
package import Foundation

/// A file of an older format; the process that opens it is killed.
package enum OldFile {
    /// The store in the file, and its model.
    package static func store(
        _ file: URL, _ settings: SQLiteConfiguration = SQLiteConfiguration(busyTimeLimit: 60)
    ) throws -> (store: SQLiteStore, layout: ModelLayout) {
        let store = SQLiteStore(fileURL: file, settings: settings)
        guard let metadata = try store.inspect() else { throw CocoaError(.fileNoSuchFile) }
        return (store, try ModelLayout(metadata.model))
    }

    /// Opens the file, which upgrades it, and closes it.
    package static func open(_ file: URL) throws {
        let (store, layout) = try store(file)
        _ = try store.open(layout)
        store.close()
    }
}
