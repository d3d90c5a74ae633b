public import CofferStorage
public import Foundation

/// The domain of every ``CoreStoreError``.
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

/// What went wrong.
public enum CoreStoreError: Error, CustomNSError, Hashable, CustomStringConvertible {
    /// The cause could not be told, for example because the data stack is gone.
    case unknown
    /// Another storage was already added for the same file.
    case differentStorageExistsAtURL(existingPersistentStoreURL: URL)
    /// No way is known from the store's model to the one required.
    case mappingModelNotFound(localStoreURL: URL, targetModel: ObjectModel, targetModelVersion: ModelVersion)
    /// The store needs several migrations, which its options forbid.
    case progressiveMigrationRequired(localStoreURL: URL)
    /// The store needs a migration that only `addStorage` can do.
    case asynchronousMigrationRequired(localStoreURL: URL, NSError: NSError)
    /// A store or the system failed; see ``storageError`` for the store's own words.
    case internalError(NSError: NSError)
    /// The closure of a transaction threw an error of its own.
    case userError(error: any Error)
    /// The transaction was cancelled by `cancel()`.
    case userCancelled
    /// No store that was added holds the entity.
    case persistentStoreNotFound(entity: any DynamicObject.Type)

    /// The same for all errors of this type.
    public static var errorDomain: String { CoreStoreErrorDomain }

    /// The case, as a number.
    public var errorCode: Int { code.rawValue }

    private var code: CoreStoreErrorCode {
        switch self {
        case .unknown: .unknownError
        case .differentStorageExistsAtURL: .differentStorageExistsAtURL
        case .mappingModelNotFound: .mappingModelNotFound
        case .progressiveMigrationRequired: .progressiveMigrationRequired
        case .asynchronousMigrationRequired: .asynchronousMigrationRequired
        case .internalError: .internalError
        case .userError: .userError
        case .userCancelled: .userCancelled
        case .persistentStoreNotFound: .persistentStoreNotFound
        }
    }

    /// The facts that belong to the case, by name.
    ///
    /// Off Apple's platforms, what went wrong in words is among them (`NSLocalizedDescriptionKey`): Foundation reads
    /// `localizedDescription` from there.
    public var errorUserInfo: [String: Any] {
        #if canImport(Darwin)
            return facts
        #else
            return facts.merging([NSLocalizedDescriptionKey: description]) { fact, _ in fact }
        #endif
    }

    private var facts: [String: Any] {
        switch self {
        case .unknown, .userCancelled: [:]
        case .differentStorageExistsAtURL(let url): ["existingPersistentStoreURL": url]
        case .mappingModelNotFound(let url, let model, let version):
            ["localStoreURL": url, "targetModel": model, "targetModelVersion": version]
        case .progressiveMigrationRequired(let url): ["localStoreURL": url]
        case .asynchronousMigrationRequired(let url, let error): ["localStoreURL": url, "NSError": error]
        case .internalError(let error): ["NSError": error]
        case .userError(let error): ["Error": error]
        case .persistentStoreNotFound(let entity): ["entity": entity]
        }
    }
}
