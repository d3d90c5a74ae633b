import CofferSQL
import CofferStorage
import CofferStorageTools

/// Creates a file with loaded rows and links, and renames it to its path when it is complete.
extension SQLiteFile {
    /// Creates the file with the rows and links that the closure adds.
    func load(
        _ metadata: StoreMetadata, _ layout: ModelLayout, _ fill: (any StorageLoader) throws(StorageError) -> Void,
        _ verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        try checkNothingIsThere()
        try makeDirectory()
        let draft = try SQLiteDraft(of: url)
        let options = draftOptions
        let schema = SQLSchema(layout)
        do throws(StorageError) {
            let connection = try SQLiteConnection(
                path: draft.path, access: .write(creates: false), options: options)
            // No process sees the draft, or continues with it after a crash. The disk must store it only once, at the
            // end.
            _ = try connection.text("PRAGMA journal_mode = OFF")
            try connection.execute("PRAGMA synchronous = OFF")
            if let count = options.maximumPageCount { try connection.execute("PRAGMA max_page_count = \(count)") }
            try connection.execute("BEGIN EXCLUSIVE")
            let loader = try SQLiteLoader(SQLiteSchema(schema: schema), metadata, connection)
            try fill(loader)
            try loader.finish()
            try connection.execute("COMMIT")
            let pool = SQLitePool(draft.path, .read, options)
            defer { pool.close() }
            let reader = SQLiteReader(SQLiteTables(schema), try pool.take(), from: pool)
            defer { reader.finish() }
            try verify(reader)
        } catch {
            draft.discard()
            throw error
        }
        try draft.publish()
    }

    /// The options of the connections to the draft.
    ///
    /// The cache is smaller than usual, because no page is read twice. No connection outlives its reader.
    private var draftOptions: SQLiteConfiguration {
        var options = options
        options.cacheSize = min(options.cacheSize, 16 << 20)
        options.idleReaders = 0
        return options
    }

    /// Throws an error if the file exists, or a file that SQLite would use as a part of it.
    private func checkNothingIsThere() throws(StorageError) {
        for file in files where isThere(file) { throw .occupied(name(file)) }
    }
}
