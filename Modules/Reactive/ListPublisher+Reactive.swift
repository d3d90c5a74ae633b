#if canImport(Combine) || Reactive
    public import CofferObservation

    #if canImport(Combine)
        public import Combine
    #else
        public import OpenCombine
    #endif

    /// Publishes the snapshots of a list with Combine or OpenCombine.
    extension ListPublisher {
        /// The publishers of the list.
        public var reactive: ReactiveNamespace { ReactiveNamespace(base: self) }

        /// The list as publishers of Combine, or of OpenCombine on platforms without Combine.
        public struct ReactiveNamespace {
            /// The list.
            public let base: ListPublisher
        }

        /// Sends the snapshots of a list to its subscribers, on the view queue.
        public struct SnapshotPublisher: Publisher {
            /// A snapshot of the list.
            public typealias Output = ListSnapshot<O>
            /// The publisher never fails.
            public typealias Failure = Never

            let base: ListPublisher
            let emitInitialValue: Bool

            /// Observes the list until the subscription is cancelled.
            ///
            /// The subscription keeps the list alive. Subscribe on the view queue.
            public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                subscriber.receive(
                    subscription: ObservingSubscription(
                        subscriber, in: base.cs_dataStack(),
                        start: { [base, emitInitialValue] subscription in
                            base.addObserver(subscription, notifyInitial: emitInitialValue) {
                                [weak subscription] list in
                                subscription?.send(list.snapshot)
                            }
                        },
                        stop: { [base] in base.removeObserver($0) }))
            }
        }
    }

    extension ListPublisher.ReactiveNamespace {
        /// Returns a publisher of snapshots, with one after each commit that changes the list or its objects.
        ///
        /// ```swift
        /// stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        ///     .reactive.snapshot()
        ///     .sink { snapshot in print(snapshot.count) }
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// If a subscriber requests an unlimited number of values, it gets all snapshots. If it requests a few values
        /// at a time, it gets the newest snapshot at each request. `updatedItemIdentifiers` of this snapshot contains
        /// only the items of the last commit, so compare the snapshot with the previous one by `difference(from:)`. The
        /// publisher never completes.
        ///
        /// - Parameter emitInitialValue: whether the publisher also sends the present snapshot at once.
        public func snapshot(emitInitialValue: Bool = true) -> ListPublisher.SnapshotPublisher {
            ListPublisher.SnapshotPublisher(base: base, emitInitialValue: emitInitialValue)
        }
    }
#endif
