public import CofferStorage
import CofferStorageTools

/// A mapping provider that infers the plan of each migration step from the two models.
///
/// ```swift
/// let store = SQLiteStore(fileName: "people.sqlite", migrationMappingProviders: [InferredSchemaMappingProvider()])
/// ```
///
/// Entities and fields are matched by their former names or their names. If no other provider returns a plan, a data
/// stack infers the plan, also without this provider. If a step cannot be inferred, for example for a new required
/// field without a default value, the migration fails, and the store is unchanged.
public final class InferredSchemaMappingProvider: Hashable, SchemaMappingProvider {
    /// Creates a provider; all providers are equal.
    public init() {}

    /// The inferred plan of a step.
    public func migrationPlan(from source: StoreModel, to target: StoreModel) throws(StorageError) -> MigrationPlan? {
        .inferred(from: source, to: target)
    }

    /// Always true.
    public static func == (lhs: InferredSchemaMappingProvider, rhs: InferredSchemaMappingProvider) -> Bool { true }

    /// Hashes only the type.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(Self.self)) }
}
