/// A store that can take its rows from one version of the model to another.
///
/// What becomes of each row is told by a ``MigrationPlan``, and worked out by a `RowMigrator`: a store reads the old
/// rows and links, has them migrated one by one, and writes the new ones. The core asks through
/// `StorageInterface.migrate(along:report:)`, which tells of a store without this power (`migration/unsupported`).
public protocol MigratableStorage: StorageInterface {
    /// What a data stack asks for the plan of a step before it infers one.
    var migrationMappingProviders: [any SchemaMappingProvider] { get }

    /// Takes the store, which is closed, through some steps, all of them or none.
    ///
    /// Implementations must leave the store as it was, whatever stops them: an error (`migration/atomic`,
    /// `migration/all-steps-or-none`), the closure throwing (`migration/cancel`), or the process ending at any
    /// instruction (not checked: the suite cannot kill its own process).
    ///
    /// They must refuse a store that is open with `busy` (`migration/open-store`), a place where there is nothing with
    /// `unavailable`, creating nothing (`migration/nothing`), and with `schemaMismatch` a store whose model has other
    /// version hashes than the first step's source (`migration/wrong-source`). One that has those of the last step's
    /// target was migrated by somebody else meanwhile, and may be left as it is.
    ///
    /// Rows must get the keys, versions and values that `RowMigrator` says (`migration/renaming`,
    /// `migration/new-attribute`, `migration/required`, `migration/widening`, `migration/transform`), also where trees
    /// of entities are joined or parted (`migration/inheritance`). Links must too
    /// (`migration/links`, `migration/to-many`), and references and links that lead to no row of their destination
    /// any more must go (`migration/dropped-entity`). The store must keep its id, and have the last step's model
    /// (`migration/metadata`), with its unique constraints (`migration/constraints`); rows that would break one are
    /// a `uniqueViolation` (`migration/unique-violation`). Keys must go on where they stopped (`migration/keys`).
    ///
    /// A store that outgrows memory must hand rows on one by one, and never have all of them at once (not checked).
    ///
    /// - Parameters:
    ///   - steps: each step's target is the next one's source.
    ///   - report: called now and then, on the same thread, with how far the migration is (`migration/report`).
    func migrate(
        _ steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata
}

extension MigratableStorage {
    /// None: every step is inferred.
    public var migrationMappingProviders: [any SchemaMappingProvider] { [] }
}
