package import CofferSchema
import CofferStorage

extension CoreStoreError {
    /// Whether a store that cannot be migrated for this reason may be erased and recreated, where its options say so.
    ///
    /// Never for what may pass, such as a lock or a failing disk, never for a cancelled migration, and never for a mistake
    /// in a schema, such as a misspelt former name.
    package var allowsRecreation: Bool {
        switch self {
        case .mappingModelNotFound, .progressiveMigrationRequired, .userError: return true
        case .internalError:
            let codes: [StorageError.Code] = [
                .schemaMismatch, .invalidValue, .uniqueViolation, .unsupported,
            ]
            return storageError.map { codes.contains($0.code) } ?? false
        default: return false
        }
    }
}
