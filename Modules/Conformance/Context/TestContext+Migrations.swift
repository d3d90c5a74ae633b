import CofferStorage
import CofferStorageTools

/// Migrates a store in a case, or checks that a migration is refused.
extension TestContext {
    /// Closes a store, migrates it in some steps, and opens it again.
    ///
    /// - Returns: nil if the store cannot migrate, after a check that a migration throws an error; nil also if the
    ///   store loses its data when it is closed.
    func migrated(
        _ session: Session, along steps: [MigrationPlan],
        report: (MigrationReport) throws(StorageError) -> Void = { _ in }
    ) throws -> Session? {
        guard let store = try closed(session), let last = steps.last else { return nil }
        let metadata = try store.migrate(along: steps, report: report)
        let migrated = try Session(store, ModelLayout(last.target), namedRows: session.namedRows)
        try expectEqual(migrated.metadata, metadata, "the metadata of the opened store")
        return migrated
    }

    /// Closes a store, and checks that a migration throws an error and leaves the store unchanged.
    ///
    /// - Returns: the store, opened again with its old model; nil if the store cannot migrate, or loses its data when
    ///   it is closed.
    @discardableResult
    func refused(
        _ session: Session, along steps: [MigrationPlan], _ code: StorageError.Code, naming words: [String] = [],
        report: (MigrationReport) throws(StorageError) -> Void = { _ in }
    ) throws -> Session? {
        let before = try session.lines()
        guard let store = try closed(session) else { return nil }
        try expectThrows(code, naming: words, "the migration") { try store.migrate(along: steps, report: report) }
        let again = try Session(store, session.layout, namedRows: session.namedRows)
        try expectEqual(again.metadata, session.metadata, "the metadata after a failed migration")
        try expectEqual(try again.lines(), before, "the rows after a failed migration")
        return again
    }

    /// Closes a store, and returns an unopened store at its place; nil if it cannot migrate or is empty.
    ///
    /// If the store cannot migrate, the method checks that a migration throws an error.
    func closed(_ session: Session) throws -> (any StorageInterface)? {
        session.store.close()
        let store = isPersistent ? try makeStore() : session.store
        guard store is any MigratableStorage else {
            let plan = MigrationPlan.inferred(from: Domain.model, to: Domain.model.next { _ in })
            let message =
                "\(store.storeDescription) cannot migrate. Open a fresh store, or use one that conforms to "
                + "MigratableStorage."
            try expectThrows(.unsupported, saying: message, "a migration") { try store.migrate(along: [plan]) }
            return nil
        }
        return try store.inspect() == nil ? nil : store
    }
}

extension [MigrationPlan] {
    /// The inferred steps from the suite's own model to its next versions.
    static func steps(to versions: StoreModel...) -> [MigrationPlan] {
        zip([Domain.model] + versions, versions).map { .inferred(from: $0, to: $1) }
    }

    /// Returns the steps; the first step transforms the rows of an entity.
    func transforming(
        _ entity: EntityName, _ transformation: @escaping EntityMigration.Transformation
    ) -> [MigrationPlan] {
        var steps = self
        for index in steps[0].entities.indices where steps[0].entities[index].source == entity {
            steps[0].entities[index].transformation = transformation
        }
        return steps
    }
}
