import Foundation

/// Compares and hashes `CoreStoreError` values.
extension CoreStoreError {
    /// Returns whether both errors have the same case and equal values.
    public static func == (left: CoreStoreError, right: CoreStoreError) -> Bool {
        left.errorCode == right.errorCode && left.values == right.values
    }

    /// Hashes the case and not its values, because on Linux the hash function of an `NSError` never returns.
    public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }

    /// The values of the case, in their order.
    private var values: [AnyHashable] {
        switch self {
        case .unknown, .userCancelled: []
        case .differentStorageExistsAtURL(let url), .progressiveMigrationRequired(let url): [url]
        case .mappingModelNotFound(let url, let model, let version): [url, model, version]
        case .asynchronousMigrationRequired(let url, let error): [url, error]
        case .internalError(let error): [error]
        case .userError(let error): [error as NSError]
        case .persistentStoreNotFound(let entity): [ObjectIdentifier(entity)]
        }
    }
}
