#if canImport(Combine) || Reactive
    public import CofferObservation
    public import CofferSchema

    #if canImport(Combine)
        public import Combine
    #else
        public import OpenCombine
    #endif

    /// Publishes the snapshots and fields of an object with Combine or OpenCombine.
    extension ObjectPublisher {
        /// The publishers of the object.
        public var reactive: ReactiveNamespace { ReactiveNamespace(base: self) }

        /// The object and its fields as publishers of Combine, or of OpenCombine on platforms without Combine.
        @dynamicMemberLookup
        public struct ReactiveNamespace {
            /// The object's publisher.
            public let base: ObjectPublisher
        }

        /// Sends the snapshots of an object to its subscribers, on the view queue.
        public struct SnapshotPublisher: Publisher {
            /// A snapshot of the object; nil after the object was deleted.
            public typealias Output = ObjectSnapshot<O>?
            /// The publisher never fails.
            public typealias Failure = Never

            let base: ObjectPublisher
            let emitInitialValue: Bool

            /// Observes the object until the subscription is cancelled.
            ///
            /// The subscription keeps the object's publisher alive. Subscribe on the view queue.
            public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                subscriber.receive(
                    subscription: ObservingSubscription(
                        subscriber, in: base.cs_dataStack(),
                        start: { [base, emitInitialValue] subscription in
                            base.addObserver(subscription, notifyInitial: emitInitialValue) {
                                [weak subscription] object in
                                let snapshot = object.snapshot
                                // An object that cannot be read is not treated as deleted.
                                guard snapshot != nil || object.isKnownAsDeleted else { return }
                                subscription?.send(snapshot)
                            }
                        },
                        stop: { [base] in base.removeObserver($0) }))
            }
        }
    }

    extension ObjectPublisher.ReactiveNamespace {
        /// Returns a publisher of snapshots, one after each commit that changes the object, and nil after its deletion.
        ///
        /// If a subscriber requests an unlimited number of values, it gets all snapshots. If it requests a few values
        /// at a time, it gets the newest snapshot at each request. If the object cannot be read, the error is logged,
        /// and the publisher sends no value until the next commit that changes the object. The publisher never
        /// completes.
        ///
        /// - Parameter emitInitialValue: whether the publisher also sends the present snapshot at once.
        public func snapshot(emitInitialValue: Bool = true) -> ObjectPublisher.SnapshotPublisher {
            ObjectPublisher.SnapshotPublisher(base: base, emitInitialValue: emitInitialValue)
        }
    }

    /// The values of a field: the current value, and the value after each commit that changes the object.
    ///
    /// The publisher also sends a value that equals the previous value.
    extension ObjectPublisher.ReactiveNamespace where O: CoreStoreObject {
        /// The values of a stored field; nil after the object was deleted.
        ///
        /// ```swift
        /// stack.publishObject(person).reactive.$name.sink { print($0 ?? "(deleted)") }.store(in: &cancellables)
        /// ```
        public subscript<OBase, V>(
            dynamicMember member: KeyPath<O, FieldContainer<OBase>.Stored<V>>
        ) -> AnyPublisher<V?, Never> {
            snapshot().map { $0?[dynamicMember: member] }.eraseToAnyPublisher()
        }

        /// The values of a virtual field; nil after the object was deleted.
        public subscript<OBase, V>(
            dynamicMember member: KeyPath<O, FieldContainer<OBase>.Virtual<V>>
        ) -> AnyPublisher<V?, Never> {
            snapshot().map { $0?[dynamicMember: member] }.eraseToAnyPublisher()
        }

        /// The values of a coded field; nil after the object was deleted.
        public subscript<OBase, V>(
            dynamicMember member: KeyPath<O, FieldContainer<OBase>.Coded<V>>
        ) -> AnyPublisher<V?, Never> {
            snapshot().map { $0?[dynamicMember: member] }.eraseToAnyPublisher()
        }
    }
#endif
