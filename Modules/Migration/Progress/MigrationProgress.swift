public import CofferSchema
public import CofferStorage
public import Foundation

/// The progress of adding a storage to a data stack, including its migration.
public enum MigrationProgress<T: StorageInterface> {
    /// The storage is being migrated.
    case migrating(storage: T, progressObject: Progress)
    /// The storage was added.
    ///
    /// - `migrationRequired`: whether the storage was migrated before it was added.
    case finished(storage: T, migrationRequired: Bool)

    /// The completed part, from 0 to 1.
    public var fractionCompleted: Double {
        switch self {
        case .migrating(_, let progress): progress.fractionCompleted
        case .finished: 1
        }
    }

    /// Whether the storage was added.
    public var isCompleted: Bool {
        if case .finished = self { true } else { false }
    }
}

// Sendable: a storage is Sendable, and `Progress` is used only on the stack's view queue.
extension MigrationProgress: @unchecked Sendable {}

/// The steps of a completed migration, or the error.
public typealias MigrationResult = Result<[MigrationType], CoreStoreError>

/// The storage that was added, or the error.
public typealias SetupResult<StorageInterfaceType> = Result<StorageInterfaceType, CoreStoreError>
where StorageInterfaceType: StorageInterface
