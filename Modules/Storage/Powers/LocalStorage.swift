public import Foundation

/// A store kept in a file.
public protocol LocalStorage: StorageInterface {
    /// Where the file is.
    var fileURL: URL { get }
    /// How the store behaves when it is added to a data stack.
    var localStorageOptions: LocalStorageOptions { get }

    /// The options that a data stack passes on for some local options.
    func dictionary(forOptions options: LocalStorageOptions) -> [AnyHashable: Any]?

    /// Brings the file to a state in which it can be copied or moved by itself.
    ///
    /// Implementations must fold side files back into the main one. The store must not be open elsewhere.
    func cs_finalizeStorageAndWait() throws(StorageError)

    /// Closes and removes the store, if it still holds what ``StorageInterface/inspect()`` found in it. A store
    /// that another process made in its place stays.
    ///
    /// Implementations must not let anybody write the store between looking and removing. Without one, the store is
    /// removed whatever it holds.
    func erase(holding found: StoreMetadata) throws(StorageError)
}

extension LocalStorage {
    /// Removes the store, whatever it holds.
    public func erase(holding found: StoreMetadata) throws(StorageError) { try erase() }
}
