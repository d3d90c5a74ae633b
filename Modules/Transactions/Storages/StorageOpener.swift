import CofferMigration
import CofferSchema
import CofferStorage
import Foundation

/// Opens storages for a data stack; refuses two storages for one file, and an unknown configuration.
///
/// A ``StorageMigration`` opens a storage with data of another model.
struct StorageOpener {
    let stack: DataStack

    private var binding: SchemaBinding { stack.binding }

    /// The migration of a storage to the stack's version, before the storage is added.
    func migration(of storage: some StorageInterface, isAtOnce: Bool = false) -> StorageMigration {
        StorageMigration(of: storage, stack.schemaHistory, binding, isAtOnce: isAtOnce)
    }

    /// Adds a storage while the caller waits.
    func addAtOnce<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> T {
        try adding(storage) { () throws(CoreStoreError) in
            try migration(of: storage, isAtOnce: true).open { () throws(CoreStoreError) in try open(storage) }
        }
    }

    /// Adds a storage in the background.
    ///
    /// - Parameter run: the first plan of the storage's migration.
    func add<T: StorageInterface>(
        _ storage: T, after run: MigrationRun, _ progress: ObservedProgress?
    ) throws(CoreStoreError) -> T {
        try migration(of: storage).open(after: run, progress) { () throws(CoreStoreError) in
            try adding(storage) { () throws(CoreStoreError) in try open(storage) }
        }
    }

    /// Opens a storage unless it was added already; two threads cannot add the same storage twice.
    private func adding<T: StorageInterface>(
        _ storage: T, _ open: () throws(CoreStoreError) -> Void
    ) throws(CoreStoreError) -> T {
        stack.adding.lock()
        defer { stack.adding.unlock() }
        if let known = try known(storage) { return known }
        try open()
        return storage
    }

    /// The storage that was added already, or another one for the same file.
    ///
    /// - Throws: `differentStorageExistsAtURL`.
    func known<T: StorageInterface>(_ storage: T) throws(CoreStoreError) -> T? {
        func place(_ local: any LocalStorage) -> URL { local.fileURL.resolvingSymlinksInPath().standardizedFileURL }
        let url = (storage as? any LocalStorage).map(place)
        for store in stack.stores.stores {
            if store.storage === storage { return storage }
            guard let url, let other = store.storage as? any LocalStorage, place(other) == url else { continue }
            if let other = other as? T, SchemaBinding.isSame(other.configuration, storage.configuration) {
                return other
            }
            throw .differentStorageExistsAtURL(existingPersistentStoreURL: other.fileURL)
        }
        return nil
    }

    /// Opens a storage whose data have the current model.
    private func open(_ storage: any StorageInterface) throws(CoreStoreError) {
        try CoreStoreError.converting { () throws(StorageError) in try openAndAdd(storage) }
    }

    private func openAndAdd(_ storage: any StorageInterface) throws(StorageError) {
        if let problem = stack.schemaHistory.problem ?? binding.problem { throw problem }
        if let name = storage.configuration, name != DataStack.defaultConfigurationName,
            binding.configurations[name] == nil
        {
            throw .invalidModel(
                "Version '\(stack.modelVersion)' has no configuration '\(name)' for '\(storage.storeDescription)'."
            )
        }
        do {
            let metadata = try storage.open(binding.layout)
            stack.stores.add(OpenStore(storage, metadata, binding.layout, uuidSlots: binding.uuidSlots))
            stack.tellStoragesChange()
        } catch {
            var error = error
            // The store knows both models, but only the stack knows which of them is older.
            if error.code == .schemaMismatch, let found = try? storage.inspect() {
                let stored = StoredVersion(found.model, stack.schemaHistory)
                error.message = stored.explanation(storage.storeDescription)
            }
            throw error.adding(operation: "open", store: storage.storeDescription)
        }
    }
}
