#if canImport(Combine) || Reactive
    import CofferMigration
    public import CofferSchema
    public import CofferStorage
    public import CofferTransactions

    #if canImport(Combine)
        public import Combine
    #else
        public import OpenCombine
    #endif

    /// Adds storages to a data stack, with futures and publishers of Combine or OpenCombine.
    extension DataStack.ReactiveNamespace {
        /// Adds a storage, and migrates the storage if its data has an older version.
        ///
        /// - Returns: a future of the storage, on the view queue. It fails with ``CoreStoreError`` if the storage cannot be
        ///   opened or migrated.
        public func addStorage<T: StorageInterface>(_ storage: T) -> Future<T, CoreStoreError> {
            future { completion in _ = base.addStorage(storage, completion: completion) }
        }

        /// Adds a storage in a file when a subscriber arrives, and sends the progress of a migration.
        ///
        /// ```swift
        /// stack.reactive
        ///     .addStorage(SQLiteStore(fileName: "kennel.sqlite"))
        ///     .sink(receiveCompletion: { print($0) }, receiveValue: { print($0.fractionCompleted) })
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// - Returns: a publisher. During a migration, it sends `migrating` repeatedly. It then sends `finished` once.
        ///   If the storage cannot be opened or migrated, the publisher fails with ``CoreStoreError``.
        public func addStorage<T: LocalStorage>(_ storage: T) -> DataStack.AddStoragePublisher<T> {
            DataStack.AddStoragePublisher(stack: base, storage: storage)
        }
    }
#endif
