import CofferSchema
import CofferStorage
import Foundation

/// Decides by the options of a storage whether it may migrate at once, take several steps, or be erased and recreated.
///
/// No other type reads the options about migrations.
struct MigrationPolicy: Sendable {
    /// The storage, if it is in a file: only files have options.
    let local: (any LocalStorage)?
    /// Whether the caller waits for the migration, and therefore cannot run code of the program for each object.
    let isAtOnce: Bool

    /// The policy of a storage.
    ///
    /// - Parameter isAtOnce: whether the caller waits for the migration.
    init(_ storage: any StorageInterface, isAtOnce: Bool) {
        local = storage as? any LocalStorage
        self.isAtOnce = isAtOnce
    }

    private var options: LocalStorageOptions { local?.localStorageOptions ?? .none }

    /// Whether the storage may be migrated: always in the background, and at once if the options allow it.
    var allowsMigration: Bool { !isAtOnce || options.contains(.allowSynchronousLightweightMigration) }

    /// Whether a migration may drop data for which only a version outside the history has a place.
    ///
    /// If the options allow to erase the storage, a migration that drops some of its data loses less.
    var allowsUnknownLosses: Bool { options.contains(.recreateStoreOnModelMismatch) }

    /// Refuses several steps if the options prevent them.
    ///
    /// - Throws: `progressiveMigrationRequired`.
    func check(stepCount: Int) throws(CoreStoreError) {
        guard stepCount > 1, let local, options.contains(.preventProgressiveMigration) else { return }
        throw .progressiveMigrationRequired(localStoreURL: local.fileURL)
    }

    /// Refuses a step with transformations if the caller waits.
    func check(_ steps: [MigrationPlan]) throws(CoreStoreError) {
        guard isAtOnce, !steps.allSatisfy(\.isLightweight) else { return }
        throw CoreStoreError(
            storage: StorageError(
                .unsupported,
                "A step of the migration has transformations, which cannot run synchronously. Add the "
                    + "store with 'addStorage'."
            ))
    }

    /// Whether a storage that cannot be migrated because of an error may be erased and recreated.
    func allowsRecreation(after error: CoreStoreError) -> Bool {
        options.contains(.recreateStoreOnModelMismatch) && Self.isLasting(error)
    }

    /// The error to throw for a failed migration.
    ///
    /// A migration in the background may succeed where a migration at once fails, unless the chain has no steps to
    /// the current version.
    func reported(_ error: CoreStoreError) -> CoreStoreError {
        if case .mappingModelNotFound = error { return error }
        guard isAtOnce, allowsMigration, Self.isLasting(error), let local else { return error }
        return .asynchronousMigrationRequired(localStoreURL: local.fileURL, NSError: error as NSError)
    }

    /// Whether the same migration would fail again for the same reason.
    ///
    /// The result is false for a temporary failure, such as a lock or a failing disk, for a cancelled migration, and
    /// for a mistake in a schema, such as a misspelt former name.
    static func isLasting(_ error: CoreStoreError) -> Bool {
        switch error {
        case .mappingModelNotFound, .progressiveMigrationRequired, .userError: return true
        case .internalError:
            let codes: [StorageError.Code] = [.schemaMismatch, .invalidValue, .uniqueViolation, .unsupported]
            return error.storageError.map { codes.contains($0.code) } ?? false
        default: return false
        }
    }
}
