#if canImport(Combine) || Reactive
    public import CofferMigration
    public import CofferSchema
    public import CofferStorage
    public import CofferTransactions
    import Foundation

    #if canImport(Combine)
        public import Combine
    #else
        public import OpenCombine
    #endif

    /// Adds the publisher of the progress of adding a storage and migrating it.
    extension DataStack {
        /// Adds a storage in a file for each subscriber, and sends the progress of its migration on the view queue.
        ///
        /// If the subscription is cancelled, the migration continues.
        public struct AddStoragePublisher<Storage: LocalStorage>: Publisher {
            /// The progress of the migration; at the end, the storage.
            public typealias Output = MigrationProgress<Storage>
            /// The reason that the storage was not added.
            public typealias Failure = CoreStoreError

            let stack: DataStack
            let storage: Storage

            /// Begins to add the storage when the subscriber requests values.
            ///
            /// If a subscriber requests a few values at a time, it gets the newest progress at each request, and at
            /// last `finished`.
            public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                subscriber.receive(subscription: AddStorageSubscription(stack, storage, subscriber))
            }
        }
    }

    private final class AddStorageSubscription<Storage: LocalStorage, S: Subscriber>: Subscription
    where S.Input == MigrationProgress<Storage>, S.Failure == CoreStoreError {
        private let stack: DataStack
        private let storage: Storage
        private let values: DemandedValues<S>
        private let hasBegun = Locked(false)

        init(_ stack: DataStack, _ storage: Storage, _ subscriber: S) {
            self.stack = stack
            self.storage = storage
            values = DemandedValues(subscriber)
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > 0 else { return }
            values.request(demand)
            guard begin() else { return Optional(stack).onView { [values] in values.deliver() } }
            _ = stack.add(
                storage,
                onProgress: { progress in
                    // The progress keeps the subscription alive while the migration runs.
                    progress.setProgressHandler { [self] in
                        send(.migrating(storage: storage, progressObject: $0))
                    }
                },
                completion: { [self] result, wasMigrated in
                    switch result {
                    case .success(let added):
                        send(.finished(storage: added, migrationRequired: wasMigrated))
                        values.complete(.finished)
                    case .failure(let error): values.complete(.failure(error))
                    }
                    values.deliver()
                })
        }

        func cancel() { values.cancel() }

        private func begin() -> Bool {
            hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
        }

        private func send(_ progress: MigrationProgress<Storage>) {
            values.set(progress)
            values.deliver()
        }
    }
#endif
