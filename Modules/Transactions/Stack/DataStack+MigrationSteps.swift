package import CofferSchema
package import CofferStorage

extension DataStack {
    /// The steps that take what a store holds to the current version; none when it holds nothing or that.
    ///
    /// Reads what the store says about itself, and changes nothing.
    ///
    /// - Throws: `mappingModelNotFound` when the store's model is not in the history or the chain does not lead from it
    ///   to the current version, `progressiveMigrationRequired`, `internalError` when a step cannot be made.
    package func migrationSteps(of storage: any StorageInterface) throws(CoreStoreError) -> [MigrationPlan] {
        let found = try naming(storage) { () throws(StorageError) in try storage.inspect() }
        guard let found, found.model.versionHashes != binding.layout.model.versionHashes else { return [] }
        let local = storage as? any LocalStorage
        guard let versions = migrationPath(from: found.model) else {
            guard let local else {
                throw CoreStoreError(
                    storage: .schemaMismatch(
                        storage.storeDescription, stored: found.model, opened: binding.layout.model)
                )
            }
            throw .mappingModelNotFound(
                localStoreURL: local.fileURL, targetModel: modelSchema.rawModel(), targetModelVersion: modelVersion
            )
        }
        if let local, versions.count > 2, local.localStorageOptions.contains(.preventProgressiveMigration) {
            throw .progressiveMigrationRequired(localStoreURL: local.fileURL)
        }
        return try naming(storage) { () throws(StorageError) in
            var steps: [MigrationPlan] = []
            var layout = try ModelLayout(found.model)
            for (source, target) in zip(versions, versions.dropFirst()) {
                let step = try plan(from: source, to: target, storage)
                layout = try ResolvedMigration(step, from: layout).target
                steps.append(step)
            }
            return steps
        }
    }

    /// The models from the one that a store holds to the current one; all of the history.
    private func migrationPath(from model: StoreModel) -> [StoreModel]? {
        let (schemas, chain) = (schemaHistory.schemaByVersion, schemaHistory.migrationChain)
        let hashes = model.versionHashes
        let same = schemas.keys.filter { schemas[$0]?.rawModel().storeModel.versionHashes == hashes }
        guard var version = same.contains(model.version) ? model.version : same.min(), let start = schemas[version]
        else {
            return nil
        }
        var path = [start.rawModel().storeModel]
        if chain.isEmpty { return path + [modelSchema.rawModel().storeModel] }
        while version != modelVersion {
            guard let next = chain.nextVersionFrom(version), let schema = schemas[next] else { return nil }
            path.append(schema.rawModel().storeModel)
            version = next
        }
        return path
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

    private func naming<Result>(
        _ storage: any StorageInterface, _ body: () throws(StorageError) -> Result
    ) throws(CoreStoreError) -> Result {
        do {
            return try body()
        } catch {
            throw CoreStoreError(storage: error.adding(operation: "migrate", store: storage.storeDescription))
        }
    }
}
