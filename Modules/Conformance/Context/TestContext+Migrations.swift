import CofferStorage
import CofferStorageTools

/// Migrates a store in a case, or checks that a migration is refused.
extension TestContext {
    /// Closes a store, takes it through some steps, and opens it again.
    ///
    /// - Returns: nil for a store that cannot migrate, once it has said so, and for one that forgets when it is closed.
    func migrated(
        _ session: Session, _ steps: MigrationPlan...,
        report: (MigrationReport) throws(StorageError) -> Void = { _ in }
    ) throws -> Session? {
        guard let store = try closed(session), let last = steps.last else { return nil }
        let metadata = try store.migrate(along: steps, report: report)
        let layout = try ModelLayout(last.target)
        try expectEqual(try store.open(layout), metadata, "what the migrated store says when it is opened")
        return Session(store: store, layout: layout, metadata: metadata)
    }

    /// Closes a store, and checks that some steps throw an error and leave it as it was.
    ///
    /// - Returns: the store, opened again with its old model, and the error.
    @discardableResult
    func refused(
        _ session: Session, _ steps: MigrationPlan..., code: StorageError.Code,
        report: (MigrationReport) throws(StorageError) -> Void = { _ in }
    ) throws -> (session: Session, error: StorageError)? {
        let before = try contents(session)
        guard let store = try closed(session) else { return nil }
        let error = try expectThrows(code, "the migration") { try store.migrate(along: steps, report: report) }
        let metadata = try store.open(session.layout)
        let again = Session(store: store, layout: session.layout, metadata: metadata)
        try expectEqual(metadata, session.metadata, "the metadata after a migration that failed")
        try expectEqual(try contents(again), before, "the rows after a migration that failed")
        return (again, error)
    }

    /// A store at the place of one that is closed for it; nil when it cannot migrate, once it has said so.
    func closed(_ session: Session) throws -> (any StorageInterface)? {
        session.store.close()
        let store = isPersistent ? try makeStore() : session.store
        guard store is any MigratableStorage else {
            let plan = MigrationPlan.inferred(from: Domain.model, to: Domain.model.next { _ in })
            let error = try expectThrows(.unsupported, "a migration") { try store.migrate(along: [plan]) }
            try expectEqual(
                error.message,
                "\(store.storeDescription) cannot migrate. Open a fresh store, or use one that conforms to "
                    + "MigratableStorage.", "the text of the error"
            )
            return nil
        }
        return try store.inspect() == nil ? nil : store
    }

    private func contents(_ session: Session) throws -> [String] {
        try session.layout.entities.filter { $0.root == $0.index }.flatMap { root in
            try session.rows(RowRequest(entity: root.index)).map { row in
                let entity = session.layout.entities[row.entity]
                return "\(entity.name) \(row.key) v\(row.version) \(row.values(entity.kinds))"
            }
        }
    }
}
