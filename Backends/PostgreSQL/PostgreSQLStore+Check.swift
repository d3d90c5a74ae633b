public import CofferStorage

extension PostgreSQLStore {
    /// The size of the tables with their indexes.
    public func byteCount() throws(StorageError) -> Int64? { try database.byteCount() }

    /// Nothing: a server looks after its files by itself, and has tools of its own for what it cannot mend.
    public func damage() throws(StorageError) -> [String] { [] }
}
