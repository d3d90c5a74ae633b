/// A store that can report its size, and damage of its file or database.
public protocol CheckableStorage: StorageInterface {
    /// Returns the number of bytes of the file or database; nil if there is none.
    func byteCount() throws(StorageError) -> Int64?

    /// Returns the messages of the database about damage of the file or database itself.
    ///
    /// If there is no damage, the result is empty.
    ///
    /// This method does not check the content of rows; `StorageInterface.problems(_:report:)` does.
    func damage() throws(StorageError) -> [String]
}
