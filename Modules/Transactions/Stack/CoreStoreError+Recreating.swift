package import CofferSchema
import CofferStorage

extension CoreStoreError {
    /// Whether a store that cannot be migrated for this reason may be erased and made anew, where its options say so.
    ///
    /// Never for what may pass, such as a lock or a failing disk, and never for a cancelled migration.
    package var allowsRecreation: Bool {
        switch self {
        case .mappingModelNotFound, .progressiveMigrationRequired, .userError: return true
        case .internalError:
            let codes: [StorageError.Code] = [
                .schemaMismatch, .invalidValue, .uniqueViolation, .invalidModel, .unsupported,
            ]
            return storageError.map { codes.contains($0.code) } ?? false
        default: return false
        }
    }
}
