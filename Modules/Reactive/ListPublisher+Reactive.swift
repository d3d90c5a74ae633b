#if canImport(Combine) || Reactive
    public import CofferObservation

    #if canImport(Combine)
        public import Combine
    #else
        public import OpenCombine
    #endif

    extension ListPublisher {
        /// The list as publishers.
        public var reactive: ReactiveNamespace { ReactiveNamespace(base: self) }

        /// A list as publishers of Combine, or of OpenCombine where there is no Combine.
        public struct ReactiveNamespace {
            /// The list.
            public let base: ListPublisher
        }

        /// Gives the snapshots of a list to its subscribers, on the view queue.
        public struct SnapshotPublisher: Publisher {
            /// A snapshot of the list.
            public typealias Output = ListSnapshot<O>
            /// It does not fail.
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
        /// The snapshots of the list, one after each commit that changes the list or an object in it.
        ///
        /// ```swift
        /// stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
        ///     .reactive.snapshot()
        ///     .sink { snapshot in print(snapshot.count) }
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// A subscriber that asks for any number of values gets all of them. One that asks for a few at a time gets the newest
        /// snapshot when it asks; its `updatedItemIdentifiers` are those of the last commit only, so compare it with the
        /// snapshot before by `difference(from:)`. The publisher never completes.
        ///
        /// - Parameter emitInitialValue: whether to give the present snapshot at once, too.
        public func snapshot(emitInitialValue: Bool = true) -> ListPublisher.SnapshotPublisher {
            ListPublisher.SnapshotPublisher(base: base, emitInitialValue: emitInitialValue)
        }
    }
#endif
