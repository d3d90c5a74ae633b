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

    extension DataStack {
        /// Adds a storage in a file for each subscriber, and gives the progress of its migration on the view queue.
        ///
        /// Cancelling the subscription does not stop the migration.
        public struct AddStoragePublisher<Storage: LocalStorage>: Publisher {
            /// How far the migration is; at the end, the storage.
            public typealias Output = MigrationProgress<Storage>
            /// The reason that the storage was not added.
            public typealias Failure = CoreStoreError

            let stack: DataStack
            let storage: Storage

            /// Begins to add the storage when the subscriber asks for values.
            public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                subscriber.receive(subscription: AddStorageSubscription(stack, storage, subscriber))
            }
        }
    }

    private final class AddStorageSubscription<Storage: LocalStorage, S: Subscriber>: Subscription
    where S.Input == MigrationProgress<Storage>, S.Failure == CoreStoreError {
        private let stack: DataStack
        private let storage: Storage
        private let subscriber = Locked<S?>(nil)
        private let hasBegun = Locked(false)

        init(_ stack: DataStack, _ storage: Storage, _ subscriber: S) {
            self.stack = stack
            self.storage = storage
            self.subscriber.withLock { $0 = subscriber }
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > 0, begin() else { return }
            _ = stack.add(
                storage,
                onProgress: { progress in
                    // Held by the progress, as long as the migration runs.
                    progress.setProgressHandler { [self] in
                        send(.migrating(storage: storage, progressObject: $0))
                    }
                },
                completion: { [self] result, wasMigrated in
                    switch result {
                    case .success(let added):
                        send(.finished(storage: added, migrationRequired: wasMigrated))
                        end()?.receive(completion: .finished)
                    case .failure(let error): end()?.receive(completion: .failure(error))
                    }
                })
        }

        func cancel() { _ = end() }

        private func begin() -> Bool {
            hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
        }

        private func send(_ progress: MigrationProgress<Storage>) {
            _ = subscriber.withLock { $0 }?.receive(progress)
        }

        private func end() -> S? {
            subscriber.withLock { subscriber in
                defer { subscriber = nil }
                return subscriber
            }
        }
    }
#endif
