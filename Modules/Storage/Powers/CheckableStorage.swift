/// A store that can tell how large it is, and whether what it is kept in is damaged.
public protocol CheckableStorage: StorageInterface {
    /// The bytes it takes where it is kept; nil where there is nothing.
    func byteCount() throws(StorageError) -> Int64?

    /// What is wrong with the file or database itself, in its own words; empty when it is sound.
    ///
    /// Whether the rows make sense is not asked: `StorageInterface.problems(_:report:)` does.
    func damage() throws(StorageError) -> [String]
}
