public import CofferStorage
public import CofferStorageTools
import Foundation

/// Converts all other errors to `CoreStoreError`, and has the messages of its cases.
extension CoreStoreError {
    /// Converts any error to a ``CoreStoreError``.
    ///
    /// A ``CoreStoreError`` stays the same, and its `NSError` form is converted back. Nil becomes ``unknown``. Any
    /// other error becomes ``internalError(NSError:)``.
    public init(_ error: (any Error)?) {
        switch error {
        case nil: self = .unknown
        case let error as CoreStoreError: self = error
        case let error as StorageError: self.init(storage: error)
        case let error?: self = Self.rebuilt(from: error as NSError) ?? Self.internalError(NSError: error as NSError)
        }
    }

    /// A store's error, which stays readable in ``storageError``.
    package init(storage error: StorageError) {
        self = .internalError(
            NSError: NSError(
                domain: Self.storageErrorDomain, code: StorageError.Code.allCases.firstIndex(of: error.code) ?? 0,
                userInfo: [
                    NSLocalizedDescriptionKey: error.description, Self.storageErrorKey: StorageErrorBox(error),
                ]
            )
        )
    }

    /// Runs a call of the stores, and converts a store's error to the public error.
    package static func converting<Output>(
        _ body: () throws(StorageError) -> Output
    ) throws(CoreStoreError) -> Output {
        do {
            return try body()
        } catch {
            throw CoreStoreError(storage: error)
        }
    }

    /// The error of the store; nil if the error does not come from a store.
    ///
    /// ```swift
    /// if let code = error.storageError?.code, code == .busy || code == .conflict { print("Try again.") }
    /// ```
    ///
    /// `message` explains the error, `isRetryable` shows whether the same call may succeed later, and `conflicts`
    /// contains the objects of a conflict.
    public var storageError: StorageError? {
        guard case .internalError(let error) = self else { return nil }
        return (error.userInfo[Self.storageErrorKey] as? StorageErrorBox)?.error
    }

    private static let storageErrorDomain = "coffer.storage"
    private static let storageErrorKey = "StorageError"

    private static func rebuilt(from error: NSError) -> CoreStoreError? {
        guard error.domain == errorDomain, let code = CoreStoreErrorCode(rawValue: error.code) else { return nil }
        let info = error.userInfo
        let localURL = info["localStoreURL"] as? URL
        switch code {
        case .unknownError: return .unknown
        case .userCancelled: return .userCancelled
        case .differentStorageExistsAtURL:
            return (info["existingPersistentStoreURL"] as? URL).map {
                .differentStorageExistsAtURL(existingPersistentStoreURL: $0)
            }
        case .mappingModelNotFound:
            guard let localURL, let model = info["targetModel"] as? ObjectModel,
                let version = info["targetModelVersion"] as? String
            else { return nil }
            return .mappingModelNotFound(localStoreURL: localURL, targetModel: model, targetModelVersion: version)
        case .progressiveMigrationRequired: return localURL.map { .progressiveMigrationRequired(localStoreURL: $0) }
        case .asynchronousMigrationRequired:
            guard let localURL, let cause = info["NSError"] as? NSError else { return nil }
            return .asynchronousMigrationRequired(localStoreURL: localURL, NSError: cause)
        case .internalError: return (info["NSError"] as? NSError).map { .internalError(NSError: $0) }
        case .userError: return (info["Error"] as? any Error).map { .userError(error: $0) }
        case .persistentStoreNotFound:
            return (info["entity"] as? any DynamicObject.Type).map { .persistentStoreNotFound(entity: $0) }
        }
    }
}

/// An object that contains a ``StorageError`` in an `NSError`'s user info, which requires hashable objects.
private final class StorageErrorBox: NSObject, Sendable {
    let error: StorageError

    init(_ error: StorageError) { self.error = error }
}

extension CoreStoreError {
    /// The problem, the object or file, and the solution.
    public var description: String {
        switch self {
        case .unknown: "unknown: The data stack was deallocated or was never set up."
        case .differentStorageExistsAtURL(let url):
            "differentStorageExistsAtURL: Another kind of storage or configuration was already added for '\(url.path)'."
        case .mappingModelNotFound(let url, let model, let version):
            "mappingModelNotFound: "
                + (model.explanation ?? "No migration leads from the model of '\(url.path)' to version '\(version)'.")
        case .progressiveMigrationRequired(let url):
            "progressiveMigrationRequired: '\(url.path)' needs several migrations. Remove '.preventProgressiveMigration'."
        case .asynchronousMigrationRequired(let url, _):
            "asynchronousMigrationRequired: '\(url.path)' must be migrated. Add it with 'addStorage'."
        case .internalError(let error): storageError?.description ?? "internalError: \(error.localizedDescription)"
        case .userError(let error): "userError: \(error)"
        case .userCancelled: "userCancelled: The operation was cancelled."
        case .persistentStoreNotFound(let entity):
            "persistentStoreNotFound: The data stack has no storage for '\(entity)'. If the schema has no "
                + "'Entity<\(entity)>', add it. If no storage was added or all storages were removed, call "
                + "'addStorageAndWait'."
        }
    }
}

extension CoreStoreError: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The problem, and the report of the store.
    public var coreStoreDumpString: String {
        var fields: [(name: String, value: Any)] = [
            ("errorDomain", Self.errorDomain), ("errorCode", errorCode), ("description", description),
        ]
        if let storageError {
            fields.append(("storageError", DumpWord(storageError.debugDescription)))
        } else if case .internalError(let error) = self {
            fields.append(("NSError", error))
        } else if case .asynchronousMigrationRequired(_, let error) = self {
            fields.append(("NSError", error))
        }
        return DumpTree.text(fields)
    }
}
