package import CofferSchema
package import CofferStorage
import CofferStorageTools
import Foundation

/// Plans the migration of a store to the current version of a schema history.
package struct MigrationPlanner {
    private let history: SchemaHistory
    private let layout: ModelLayout

    init(_ history: SchemaHistory, _ layout: ModelLayout) {
        self.history = history
        self.layout = layout
    }

    /// The steps that take what a store holds to the current version; none when it holds nothing or that.
    ///
    /// Reads what the store says about itself, and changes nothing.
    ///
    /// - Throws: `mappingModelNotFound` when the store's model is not in the history or the chain does not lead from it
    ///   to the current version, `progressiveMigrationRequired`, `internalError` when a step cannot be made.
    package func steps(of storage: any StorageInterface) throws(CoreStoreError) -> [MigrationPlan] {
        try steps(of: storage, holding: found(in: storage))
    }

    /// The metadata of a store; nil for an empty store.
    package func found(in storage: any StorageInterface) throws(CoreStoreError) -> StoreMetadata? {
        try naming(storage) { () throws(StorageError) in try storage.inspect() }
    }

    /// Whether another process has erased, replaced or migrated a store, and this is why a migration failed.
    ///
    /// - Parameter found: what the store said about itself before the migration.
    package func isReplaced(
        _ storage: any StorageInterface, since found: StoreMetadata?, _ error: CoreStoreError
    ) -> Bool {
        guard let code = error.storageError?.code, [.unavailable, .schemaMismatch].contains(code) else { return false }
        do throws(StorageError) {
            let now = try storage.inspect()
            return now?.store != found?.store || now?.model.versionHashes != found?.model.versionHashes
        } catch {
            return false
        }
    }

    /// The steps from what a store says about itself to the current version.
    package func steps(
        of storage: any StorageInterface, holding found: StoreMetadata?
    ) throws(CoreStoreError) -> [MigrationPlan] {
        if let problem = history.problem { throw CoreStoreError(storage: problem) }
        guard let found, !found.model.isCompatible(with: layout.model) else { return [] }
        let local = storage as? any LocalStorage
        let stored = StoredVersion(found.model, history)
        guard let versions = stored.path else {
            guard let local else {
                throw CoreStoreError(
                    storage: StorageError(.schemaMismatch, stored.explanation(storage.storeDescription)))
            }
            throw mappingModelNotFound(local, found)
        }
        if let local, versions.count > 2, local.localStorageOptions.contains(.preventProgressiveMigration) {
            throw .progressiveMigrationRequired(localStoreURL: local.fileURL)
        }
        return try naming(storage) { () throws(StorageError) in
            var steps: [MigrationPlan] = []
            var reached = try ModelLayout(found.model)
            for (source, target) in zip(versions, versions.dropFirst()) {
                let step = try plan(from: source, to: target, storage)
                try checkFormerNames(step)
                reached = try ResolvedMigration(step, from: reached).target
                steps.append(step)
            }
            return steps
        }
    }

    /// The migration chain does not lead from the version of a store to the current version.
    ///
    /// - Parameter dropped: the data that the current version has no place for.
    func mappingModelNotFound(
        _ storage: any LocalStorage, _ found: StoreMetadata, dropping dropped: [DroppedData] = []
    ) -> CoreStoreError {
        var explanation = StoredVersion(found.model, history).explanation("'\(storage.fileURL.path)'")
        if !dropped.isEmpty {
            let data = dropped.map(\.description).joined(separator: "; ")
            explanation += " It is not migrated at once, because data would be lost: \(data)."
        }
        return .mappingModelNotFound(
            localStoreURL: storage.fileURL,
            targetModel: ObjectModel(history.currentSchema.rawModel().storeModel, explanation: explanation),
            targetModelVersion: history.currentModelVersion)
    }

    /// Refuses a step in which a former name is misspelt.
    func checkFormerNames(_ step: MigrationPlan) throws(StorageError) {
        let others = history.schemaByVersion.values.map { $0.rawModel().storeModel }
        try step.checkFormerNames(
            others: others.filter { ![step.source.version, step.target.version].contains($0.version) })
    }

    /// Refuses a step from a version that the history does not have, where a former name of the current version may mean
    /// another property there than it does in a version of the history.
    func checkUnknownSource(_ step: MigrationPlan) throws(StorageError) {
        try step.checkFormerNames()
        for other in history.schemaByVersion.values.map({ $0.rawModel().storeModel }) {
            guard ![step.source.version, step.target.version].contains(other.version) else { continue }
            try step.checkFormerNames(renamedIn: other)
        }
    }

    /// Logs the data that some steps drop, before they are made.
    package func logDroppedData(of storage: any StorageInterface, by steps: [MigrationPlan]) throws(StorageError) {
        for dropped in try storage.droppedData(by: steps) {
            Diagnostics.log(.warning, "\(storage.storeDescription) is migrated: \(dropped).")
        }
    }

    /// The plan of the first provider that says more than what can be inferred, or else the inferred one.
    private func plan(
        from source: StoreModel, to target: StoreModel, _ storage: any StorageInterface
    ) throws(StorageError) -> MigrationPlan {
        for provider in (storage as? any MigratableStorage)?.migrationMappingProviders ?? [] {
            if let plan = try provider.migrationPlan(from: source, to: target), !plan.isInferred { return plan }
        }
        return .inferred(from: source, to: target)
    }

    private func naming<Output>(
        _ storage: any StorageInterface, _ body: () throws(StorageError) -> Output
    ) throws(CoreStoreError) -> Output {
        do {
            return try body()
        } catch {
            throw CoreStoreError(storage: error.adding(operation: "migrate", store: storage.storeDescription))
        }
    }
}
