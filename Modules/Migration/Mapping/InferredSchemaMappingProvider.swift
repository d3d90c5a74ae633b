public import CofferStorage
import CofferStorageTools

/// A plan for each migration step that is inferred from the two models.
///
/// ```swift
/// let store = SQLiteStore(fileName: "people.sqlite", migrationMappingProviders: [InferredSchemaMappingProvider()])
/// ```
///
/// Entities and fields are matched by their former names or their names. A data stack infers the plan in any case if no
/// other provider has one. If a step cannot be inferred, for example for a new required field without a default, the
/// migration fails, and the store is unchanged.
public final class InferredSchemaMappingProvider: Hashable, SchemaMappingProvider {
    /// A provider; all are equal.
    public init() {}

    /// The inferred plan of a step.
    public func migrationPlan(from source: StoreModel, to target: StoreModel) throws(StorageError) -> MigrationPlan? {
        .inferred(from: source, to: target)
    }

    /// Always true.
    public static func == (lhs: InferredSchemaMappingProvider, rhs: InferredSchemaMappingProvider) -> Bool { true }

    /// Hashes nothing but the type.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(Self.self)) }
}
