public import CofferStorage
import CofferStorageTools

/// Plans every step from the two models alone: entities and fields follow their former names, or keep their names.
///
/// It is what a data stack does anyhow where no other provider has a plan, wherever it stands in the list.
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
