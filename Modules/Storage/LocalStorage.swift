public import Foundation

/// How a local store behaves when it is added to a data stack.
public struct LocalStorageOptions: OptionSet, ExpressibleByNilLiteral, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Nothing special.
    public static let none = LocalStorageOptions([])
    /// A store whose model is not the required one is erased and recreated.
    public static let recreateStoreOnModelMismatch = LocalStorageOptions(rawValue: 1 << 0)
    /// A store is not taken through more than one migration.
    public static let preventProgressiveMigration = LocalStorageOptions(rawValue: 1 << 1)
    /// Adding a store may migrate it at once, when the changes can be inferred.
    public static let allowSynchronousLightweightMigration = LocalStorageOptions(rawValue: 1 << 2)

    /// Options from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// No options.
    public init(nilLiteral: ()) {
        self = .none
    }
}

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

    /// Closes and removes the store, if it still holds what ``StorageInterface/inspect()`` found in it; one that somebody
    /// else made in its place meanwhile stays.
    ///
    /// Implementations must not let anybody write the store between looking and removing. Without one, the store is
    /// removed whatever it holds.
    func erase(holding found: StoreMetadata) throws(StorageError)
}

extension LocalStorage {
    /// Removes the store, whatever it holds.
    public func erase(holding found: StoreMetadata) throws(StorageError) { try erase() }
}

extension LocalStorageOptions: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The names of the options: `[recreateStoreOnModelMismatch]`.
    public var description: String {
        let names: [(LocalStorageOptions, String)] = [
            (.recreateStoreOnModelMismatch, "recreateStoreOnModelMismatch"),
            (.preventProgressiveMigration, "preventProgressiveMigration"),
            (.allowSynchronousLightweightMigration, "allowSynchronousLightweightMigration"),
        ]
        return "[\(names.filter { contains($0.0) }.map(\.1).joined(separator: ", "))]"
    }

    /// The names of the options.
    public var coreStoreDumpString: String {
        description
    }
}
