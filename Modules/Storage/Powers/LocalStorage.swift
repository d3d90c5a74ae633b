public import Foundation

/// A store in a local file, such as a SQLite file.
public protocol LocalStorage: StorageInterface {
    /// The location of the file.
    var fileURL: URL { get }
    /// The behaviour of the store when it is added to a data stack.
    var localStorageOptions: LocalStorageOptions { get }

    /// Returns the options that a data stack passes on for some local options.
    func dictionary(forOptions options: LocalStorageOptions) -> [AnyHashable: Any]?

    /// Brings the file to a state in which it can be copied or moved alone.
    ///
    /// Implementations must merge the side files, such as a write-ahead log, into the main file. The store must not be
    /// open elsewhere.
    func cs_finalizeStorageAndWait() throws(StorageError)

    /// Closes and removes the store, if it is still the store that ``StorageInterface/inspect()`` found.
    ///
    /// If another process has created another store at its place, the other store stays.
    ///
    /// Between the check and the removal, implementations must not allow other writers. The default implementation
    /// removes the store without the check.
    func erase(holding found: StoreMetadata) throws(StorageError)
}

extension LocalStorage {
    /// Removes the store without a check of its content.
    public func erase(holding found: StoreMetadata) throws(StorageError) { try erase() }
}
