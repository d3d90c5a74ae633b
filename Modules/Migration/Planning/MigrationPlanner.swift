import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation

/// Plans migration steps with mapping providers; if a version is unknown, infers a step and checks its dropped data.
struct MigrationPlanner: Sendable {
    let history: SchemaHistory
    let binding: SchemaBinding

    /// The current model.
    var target: StoreModel { binding.layout.model }

    /// Returns the steps from the recorded model of a store to the current version.
    ///
    /// There are no steps if the store is empty or has the current version. The store is unchanged.
    ///
    /// - Throws: `mappingModelNotFound` if the store's model is not in the history, or if the chain does not continue
    ///   from it to the current version; `progressiveMigrationRequired`; `internalError` if a step cannot be planned.
    func steps(
        of storage: any StorageInterface, holding found: StoreMetadata?, _ policy: MigrationPolicy
    ) throws(CoreStoreError) -> [MigrationPlan] {
        if let problem = history.problem { throw CoreStoreError(storage: problem) }
        guard let found, !found.model.isCompatible(with: target) else { return [] }
        let stored = StoredVersion(found.model, history)
        guard let versions = stored.path else {
            guard let local = policy.local else {
                throw CoreStoreError(
                    storage: StorageError(.schemaMismatch, stored.explanation(storage.storeDescription)))
            }
            // A later version has data that the current version cannot store.
            guard policy.isAtOnce, !stored.isLater else { throw mappingModelNotFound(local, found) }
            return [try unknownStep(of: local, holding: found, policy)]
        }
        try policy.check(stepCount: versions.count - 1)
        let steps = try storage.inMigration { () throws(StorageError) in
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
        try policy.check(steps)
        return steps
    }

    /// The inferred step from a model that the history does not have, straight to the current version.
    private func unknownStep(
        of storage: any LocalStorage, holding found: StoreMetadata, _ policy: MigrationPolicy
    ) throws(CoreStoreError) -> MigrationPlan {
        let step = MigrationPlan.inferred(from: found.model, to: target)
        // A newer program may have written data that the current version cannot store.
        let dropped = try CoreStoreError.converting { () throws(StorageError) in
            try checkUnknownSource(step)
            return policy.allowsUnknownLosses ? [] : try storage.droppedData(by: [step])
        }
        guard dropped.isEmpty else { throw mappingModelNotFound(storage, found, dropping: dropped) }
        return step
    }

    /// The error for a migration chain without a path from the version of a store to the current version.
    ///
    /// - Parameter dropped: the data for which the current version has no place.
    private func mappingModelNotFound(
        _ storage: any LocalStorage, _ found: StoreMetadata, dropping dropped: [DroppedData] = []
    ) -> CoreStoreError {
        var explanation = StoredVersion(found.model, history).explanation("'\(storage.fileURL.path)'")
        if !dropped.isEmpty {
            let data = dropped.map(\.description).joined(separator: "; ")
            explanation += " The store is not migrated synchronously, because data would be lost: \(data)."
        }
        return .mappingModelNotFound(
            localStoreURL: storage.fileURL,
            targetModel: ObjectModel(history.currentSchema.rawModel().storeModel, explanation: explanation),
            targetModelVersion: history.currentModelVersion)
    }

    /// Refuses a step in which a former name is misspelt.
    private func checkFormerNames(_ step: MigrationPlan) throws(StorageError) {
        try step.checkFormerNames(others: models(besides: step))
    }

    /// The models of the history that are neither the source nor the target of a step.
    private func models(besides step: MigrationPlan) -> [StoreModel] {
        history.schemaByVersion.values.map { $0.rawModel().storeModel }
            .filter { ![step.source.version, step.target.version].contains($0.version) }
    }

    /// Refuses a step from a version outside the history, if the meaning of a former name is ambiguous.
    ///
    /// A former name of the current version may mean one property in that version, and another property in a version of
    /// the history.
    private func checkUnknownSource(_ step: MigrationPlan) throws(StorageError) {
        try step.checkFormerNames()
        for other in models(besides: step) { try step.checkFormerNames(renamedIn: other) }
    }

    /// The first plan of a provider that is not an inferred plan; if there is none, the inferred plan.
    private func plan(
        from source: StoreModel, to target: StoreModel, _ storage: any StorageInterface
    ) throws(StorageError) -> MigrationPlan {
        for provider in (storage as? any MigratableStorage)?.migrationMappingProviders ?? [] {
            if let plan = try provider.migrationPlan(from: source, to: target), !plan.isInferred { return plan }
        }
        return .inferred(from: source, to: target)
    }
}
