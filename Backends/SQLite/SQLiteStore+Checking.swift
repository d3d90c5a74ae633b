import CofferCSQLite
public import CofferStorage

extension SQLiteStore {
    /// The size of the file and of the log beside it.
    public func byteCount() throws(StorageError) -> Int64? { file.byteCount }

    /// What SQLite finds when it checks the file.
    public func damage() throws(StorageError) -> [String] { try file.damage() }
}

extension SQLiteFile {
    var byteCount: Int64? { isThere(path) ? Int64(size(path) + size(path + "-wal")) : nil }

    func damage() throws(StorageError) -> [String] {
        guard isThere(path) else { return [] }
        let connection = try connectionForReading()
        do throws(StorageError) {
            let check = try SQLiteStatement("PRAGMA integrity_check", on: connection)
            var words: [String] = []
            while try check.step() { words.append(check.string(0) ?? "") }
            return words == ["ok"] ? [] : words
        } catch  where error.code == .corrupt {
            return [error.cause ?? error.message]
        } catch {
            throw error
        }
    }
}
