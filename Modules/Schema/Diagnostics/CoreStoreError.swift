public import CofferStorage
public import Foundation

/// The error domain of ``CoreStoreError``, which is the error of the public API.
public let CoreStoreErrorDomain: String = "com.corestore.error"

/// The number of each case of ``CoreStoreError``.
public enum CoreStoreErrorCode: Int, Sendable, CaseIterable {
    case unknownError
    case differentStorageExistsAtURL
    case mappingModelNotFound
    case progressiveMigrationRequired
    case asynchronousMigrationRequired
    case internalError
    case userError
    case userCancelled
    case persistentStoreNotFound
}

/// The error of the public API: its cases, their error codes and their `userInfo`.
///
/// ```swift
/// do {
///     try stack.perform(synchronous: { transaction in
///         transaction.create(Into<Person>()).email = "ann@example.org"
///     })
/// } catch .userCancelled {
///     print("cancelled")
/// } catch {
///     if error.storageError?.code == .uniqueViolation { print("The address is in use.") }
/// }
/// ```
///
/// A store's error is in ``storageError``. Its `code` separates the errors that a program can handle, and `isRetryable`
/// shows whether the same call may succeed later. ``description`` is one line: the problem, the object or file, and the
/// solution. Most errors are also logged.
public enum CoreStoreError: LocalizedError, CustomNSError, Hashable, CustomStringConvertible {
    /// The cause is unknown; for example, the data stack of a transaction was deallocated.
    ///
    /// Keep a reference to the data stack.
    case unknown
    /// A storage of another type or configuration was added before for the same file.
    ///
    /// Add one storage for each file.
    case differentStorageExistsAtURL(existingPersistentStoreURL: URL)
    /// The migration chain has no path from the version of the file to the version of the stack.
    ///
    /// The store is unchanged. Add the missing version to the `MigrationChain`, or pass
    /// `recreateStoreOnModelMismatch`.
    case mappingModelNotFound(localStoreURL: URL, targetModel: ObjectModel, targetModelVersion: ModelVersion)
    /// The file needs several migration steps, but its options contain `preventProgressiveMigration`.
    ///
    /// The store is unchanged.
    case progressiveMigrationRequired(localStoreURL: URL)
    /// The file needs a migration that `addStorageAndWait` cannot make with `allowSynchronousLightweightMigration`.
    ///
    /// The store is unchanged. Add it with `addStorage(_:completion:)` instead of `addStorageAndWait(_:)`.
    case asynchronousMigrationRequired(localStoreURL: URL, NSError: NSError)
    /// A store or the system failed; ``storageError`` contains the store's error.
    case internalError(NSError: NSError)
    /// The closure of a transaction threw an error of the program, and nothing was saved.
    case userError(error: any Error)
    /// The operation was cancelled, and it has saved nothing.
    ///
    /// The cause is `cancel()` of a transaction, the cancellation of a task, or the cancellation of a `Progress`.
    case userCancelled
    /// No store of the stack holds the class.
    ///
    /// Call `addStorageAndWait` first. If the schema does not have the class, register it as an `Entity`.
    case persistentStoreNotFound(entity: any DynamicObject.Type)

    /// The domain of all errors of this type.
    public static var errorDomain: String { CoreStoreErrorDomain }

    /// The number of the case.
    public var errorCode: Int { facts.code.rawValue }

    /// The problem, the object or file, and the solution: the same as ``description``.
    public var errorDescription: String? { description }

    /// The values of the case, by name.
    ///
    /// On platforms other than Apple's, the values also contain the description (`NSLocalizedDescriptionKey`). On these
    /// platforms, Foundation reads `localizedDescription` from this key.
    public var errorUserInfo: [String: Any] {
        #if canImport(Darwin)
            return facts.userInfo
        #else
            return facts.userInfo.merging([NSLocalizedDescriptionKey: description]) { fact, _ in fact }
        #endif
    }

    private var facts: (code: CoreStoreErrorCode, userInfo: [String: Any]) {
        switch self {
        case .unknown: (.unknownError, [:])
        case .differentStorageExistsAtURL(let url): (.differentStorageExistsAtURL, ["existingPersistentStoreURL": url])
        case .mappingModelNotFound(let url, let model, let version):
            (.mappingModelNotFound, ["localStoreURL": url, "targetModel": model, "targetModelVersion": version])
        case .progressiveMigrationRequired(let url): (.progressiveMigrationRequired, ["localStoreURL": url])
        case .asynchronousMigrationRequired(let url, let error):
            (.asynchronousMigrationRequired, ["localStoreURL": url, "NSError": error])
        case .internalError(let error): (.internalError, ["NSError": error])
        case .userError(let error): (.userError, ["Error": error])
        case .userCancelled: (.userCancelled, [:])
        case .persistentStoreNotFound(let entity): (.persistentStoreNotFound, ["entity": entity])
        }
    }
}
