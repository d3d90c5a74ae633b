import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import CofferStorage

/// Finds the backend for a URL scheme such as `sqlite`, and registers more backends.
enum StorageSchemes {
    private static let backends = Locked<[any ConfigurableStorage.Type]>([
        InMemoryStore.self, SQLiteStore.self, PostgreSQLStore.self,
    ])

    static func backend(of url: StorageURL) throws(StorageError) -> any ConfigurableStorage.Type {
        let known = backends.withLock { $0 }
        if let backend = known.first(where: { $0.urlSchemes.contains(url.scheme) }) { return backend }
        throw .invalidConfiguration(
            "There is no store for '\(url.scheme):'. Use \(examples), or register a backend of your own.")
    }

    static func register(_ backend: any ConfigurableStorage.Type) throws(StorageError) {
        try backends.withLock { known throws(StorageError) in
            if known.contains(where: { $0 == backend }) { return }
            for scheme in backend.urlSchemes {
                guard let other = known.first(where: { $0.urlSchemes.contains(scheme) }) else { continue }
                throw .invalidConfiguration(
                    "'\(scheme):' is already the scheme of \(other). Give \(backend) another scheme.")
            }
            known.append(backend)
        }
    }

    /// A URL of each backend, for errors.
    static var examples: String {
        let examples = backends.withLock { $0.map { $0.urlExample } }
        return examples.dropLast().joined(separator: ", ") + " or " + (examples.last ?? "")
    }
}
