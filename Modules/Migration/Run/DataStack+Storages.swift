import CofferSchema
package import CofferStorage
package import CofferTransactions
package import Foundation

extension DataStack {
    /// Adds a storage on the queue of migrations, and calls back on the view queue.
    ///
    /// - Parameters:
    ///   - onProgress: called before a migration begins, where there is one.
    ///   - completion: also told whether there was a migration.
    package func add<T: StorageInterface>(
        _ storage: T, onProgress: (Progress) -> Void,
        completion: @escaping (SetupResult<T>, _ wasMigrated: Bool) -> Void
    ) -> Progress? {
        let completion = OnQueue(viewQueue) { (result: (SetupResult<T>, Bool)) in completion(result.0, result.1) }
        let prepared: Result<MigrationRun, CoreStoreError>
        do throws(CoreStoreError) {
            if let known = try StorageOpener(self).known(storage) {
                completion.call((.success(known), false))
                return nil
            }
            prepared = .success(try MigrationRun(self, storage))
        } catch {
            prepared = .failure(error)
        }
        let run = try? prepared.get()
        let progress = run.flatMap { $0.steps.isEmpty ? nil : $0.progress }
        if let progress { onProgress(progress) }
        migrating.async { [self, prepared] in
            let result = Result { () throws(CoreStoreError) in try migrateAndOpen(storage, prepared) }
            completion.call((result, progress != nil))
        }
        return progress
    }

    /// Migrates a storage and opens it.
    ///
    /// Another process may erase, replace or migrate the store after the steps were planned. The steps are planned again
    /// then, and the store is erased only if the new plan fails.
    private func migrateAndOpen<T: StorageInterface>(
        _ storage: T, _ prepared: Result<MigrationRun, CoreStoreError>
    ) throws(CoreStoreError) -> T {
        var (prepared, attempts, isMigrated) = (prepared, 0, false)
        while true {
            do throws(CoreStoreError) {
                if !isMigrated {
                    let run = try prepared.get()
                    if !run.steps.isEmpty { try run.run() }
                    isMigrated = true
                }
                return try StorageOpener(self).openWithoutResolving(storage)
            } catch {
                attempts += 1
                guard attempts < StorageOpener.migrationAttempts, let run = try? prepared.get(),
                    planner.isReplaced(storage, since: run.found, error)
                else {
                    if !isMigrated, try recreate(storage, error) {
                        isMigrated = true
                        continue
                    }
                    Diagnostics.log(
                        error, "\(storage.storeDescription) could not be \(isMigrated ? "added" : "migrated").")
                    throw error
                }
                prepared = Result { () throws(CoreStoreError) in try run.planned() }
                isMigrated = false
            }
        }
    }

    /// Erases a storage that cannot be migrated, if its options say so.
    ///
    /// - Returns: false when they do not.
    private func recreate(_ storage: some StorageInterface, _ error: CoreStoreError) throws(CoreStoreError) -> Bool {
        guard let local = storage as? any LocalStorage,
            local.localStorageOptions.contains(.recreateStoreOnModelMismatch), error.allowsRecreation
        else { return false }
        do throws(StorageError) { try StorageOpener(self).recreate(local, error) } catch { throw CoreStoreError(error) }
        return true
    }

    func logging<Success>(
        _ message: String, _ body: () throws(CoreStoreError) -> Success
    ) throws(CoreStoreError) -> Success {
        do {
            return try body()
        } catch {
            Diagnostics.log(error, message)
            throw error
        }
    }
}
