import Foundation

/// Compares and hashes `CoreStoreError` values.
extension CoreStoreError {
    /// Returns whether both errors have the same case and equal values.
    public static func == (left: CoreStoreError, right: CoreStoreError) -> Bool {
        switch (left, right) {
        case (.unknown, .unknown), (.userCancelled, .userCancelled): true
        case (.differentStorageExistsAtURL(let a), .differentStorageExistsAtURL(let b)): a == b
        case (
            .mappingModelNotFound(let a, let modelA, let versionA),
            .mappingModelNotFound(let b, let modelB, let versionB)
        ):
            a == b && modelA == modelB && versionA == versionB
        case (.progressiveMigrationRequired(let a), .progressiveMigrationRequired(let b)): a == b
        case (.asynchronousMigrationRequired(let a, let errorA), .asynchronousMigrationRequired(let b, let errorB)):
            a == b && errorA == errorB
        case (.internalError(let a), .internalError(let b)): a == b
        case (.userError(let a), .userError(let b)): (a as NSError) == (b as NSError)
        case (.persistentStoreNotFound(let a), .persistentStoreNotFound(let b)): a == b
        default: false
        }
    }

    /// Hashes the case and some of its values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(errorCode)
        switch self {
        case .unknown, .userCancelled: break
        case .differentStorageExistsAtURL(let url), .progressiveMigrationRequired(let url): hasher.combine(url)
        case .mappingModelNotFound(let url, let model, let version):
            hasher.combine(url)
            hasher.combine(model)
            hasher.combine(version)
        case .asynchronousMigrationRequired(let url, let error):
            hasher.combine(url)
            hash(error, into: &hasher)
        case .internalError(let error): hash(error, into: &hasher)
        case .userError(let error): hasher.combine((error as NSError).code)
        case .persistentStoreNotFound(let entity): hasher.combine(ObjectIdentifier(entity))
        }
    }

    /// Asking an `NSError` itself for its hash never ends on Linux.
    private func hash(_ error: NSError, into hasher: inout Hasher) {
        hasher.combine(error.domain)
        hasher.combine(error.code)
    }
}
