import CofferStorage

/// Lists the damaged places that `PRAGMA integrity_check` finds, and reports the size of the file.
extension SQLiteFile {
    var byteCount: Int64? { isThere(path) ? Int64(size(path) + size(path + "-wal")) : nil }

    func damage() throws(StorageError) -> [String] {
        guard isThere(path) else { return [] }
        let connection = try connectionForReading()
        do throws(StorageError) {
            let words = try connection.texts("PRAGMA integrity_check", [])
            return words == ["ok"] ? [] : words
        } catch {
            guard error.code == .corrupt else { throw error }
            return [error.cause ?? error.message]
        }
    }
}
