import CofferSchema
import CofferStorage
import CofferTransactions
import Foundation

extension DataStack {
    /// Adds a storage on the queue of migrations, and calls back on the view queue.
    ///
    /// - Parameters:
    ///   - onProgress: called before a migration begins, where there is one.
    ///   - completion: also told whether there was a migration.
    func add<T: StorageInterface>(
        _ storage: T, onProgress: (Progress) -> Void,
        completion: @escaping (SetupResult<T>, _ wasMigrated: Bool) -> Void
    ) -> Progress? {
        let completion = OnQueue(viewQueue) { (result: (SetupResult<T>, Bool)) in completion(result.0, result.1) }
        var prepared: Result<MigrationRun, CoreStoreError>?
        do throws(CoreStoreError) {
            if let known = try known(storage) {
                completion.call((.success(known), false))
                return nil
            }
            prepared = .success(try MigrationRun(self, storage))
        } catch {
            prepared = .failure(error)
        }
        let run = try? prepared?.get()
        let progress = run.flatMap { $0.steps.isEmpty ? nil : $0.progress }
        if let progress { onProgress(progress) }
        migrating.async { [self, prepared] in
            let result = Result { () throws(CoreStoreError) in
                if let prepared { try migrate(storage, prepared) }
                return try addStorageAndWait(storage)
            }
            completion.call((result, progress != nil))
        }
        return progress
    }

    /// Migrates a storage, or erases it where that fails and its options say so.
    private func migrate(
        _ storage: some StorageInterface, _ prepared: Result<MigrationRun, CoreStoreError>
    ) throws(CoreStoreError) {
        do throws(CoreStoreError) {
            let run = try prepared.get()
            if !run.steps.isEmpty { try run.run() }
        } catch {
            guard let local = storage as? any LocalStorage,
                local.localStorageOptions.contains(.recreateStoreOnModelMismatch), error.allowsRecreation
            else {
                Diagnostics.log(error, "\(storage.storeDescription) could not be migrated.")
                throw error
            }
            Diagnostics.log(.warning, "\(storage.storeDescription) is erased and made anew: \(error)")
            do throws(StorageError) { try eraseMismatch(of: local) } catch { throw CoreStoreError(error) }
        }
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
