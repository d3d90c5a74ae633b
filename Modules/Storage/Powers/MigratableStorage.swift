/// A store that can migrate its rows from one version of the model to another.
///
/// A ``MigrationPlan`` defines the new form of each row, and a `RowMigrator` computes it. A store reads the old rows
/// and links, passes them to the migrator one by one, and writes the new ones. The core calls
/// `StorageInterface.migrate(along:report:)`, which throws an error for a store that does not conform to this protocol
/// (`migration/unsupported`).
public protocol MigratableStorage: StorageInterface {
    /// The providers that a data stack asks for the plan of a step before it infers the plan.
    var migrationMappingProviders: [any SchemaMappingProvider] { get }

    /// Migrates the closed store through all steps or none.
    ///
    /// If the migration is interrupted, the store must be unchanged. An interruption can be an error
    /// (`migration/atomic`, `migration/all-steps-or-none`) or an error of the closure (`migration/cancel`). It can also
    /// be the end of the process at any instruction (not checked: the suite cannot kill its own process).
    ///
    /// Implementations must throw `busy` if the store is open (`migration/open-store`). If there is no store, they must
    /// throw `unavailable` and create nothing (`migration/nothing`). If the model of the store has other version hashes
    /// than the source of the first step, they must throw `schemaMismatch` (`migration/wrong-source`). If the model has
    /// the version hashes of the last step's target, another process has already migrated the store, and
    /// implementations may leave it unchanged.
    ///
    /// Rows must have the keys, versions and values that `RowMigrator` returns (`migration/renaming`,
    /// `migration/new-attribute`, `migration/required`, `migration/widening`, `migration/transform`), even if trees of
    /// entities are joined or divided (`migration/inheritance`). Links must be the links that `RowMigrator` returns
    /// (`migration/links`, `migration/to-many`). References and links to missing rows must be removed
    /// (`migration/dropped-entity`). The store must keep its id, and must have the model of the last step
    /// (`migration/metadata`) with its unique constraints (`migration/constraints`). If rows would break a constraint,
    /// the call throws `uniqueViolation` (`migration/unique-violation`). New keys must follow the keys that were
    /// reserved before (`migration/keys`).
    ///
    /// If a store may be larger than memory, it must process rows one by one (not checked). It must never have all rows
    /// in memory.
    ///
    /// - Parameters:
    ///   - steps: the steps. The target of a step is the source of the next one.
    ///   - report: called from time to time, on the same thread, with the progress (`migration/report`).
    func migrate(
        _ steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata
}

extension MigratableStorage {
    /// Returns no providers, so that every step is inferred.
    public var migrationMappingProviders: [any SchemaMappingProvider] { [] }
}
