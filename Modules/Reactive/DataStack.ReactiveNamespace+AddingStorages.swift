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

    extension DataStack.ReactiveNamespace {
        /// Adds a storage, migrated where its data are of an older version.
        ///
        /// - Returns: a future of the storage, on the view queue. It fails with ``CoreStoreError`` if the storage cannot be
        ///   opened or migrated.
        public func addStorage<T: StorageInterface>(_ storage: T) -> Future<T, CoreStoreError> {
            future { completion in _ = base.addStorage(storage, completion: completion) }
        }

        /// Adds a storage in a file when it is subscribed to, and gives the progress of a migration.
        ///
        /// ```swift
        /// stack.reactive
        ///     .addStorage(SQLiteStore(fileName: "kennel.sqlite"))
        ///     .sink(receiveCompletion: { print($0) }, receiveValue: { print($0.fractionCompleted) })
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// - Returns: a publisher of `migrating` again and again while there is a migration, then of `finished` once. It fails
        ///   with ``CoreStoreError`` if the storage cannot be opened or migrated.
        public func addStorage<T: LocalStorage>(_ storage: T) -> DataStack.AddStoragePublisher<T> {
            DataStack.AddStoragePublisher(stack: base, storage: storage)
        }
    }
#endif
