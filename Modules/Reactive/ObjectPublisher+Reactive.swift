#if canImport(Combine) || Reactive
    public import CofferObservation
    public import CofferSchema

    #if canImport(Combine)
        public import Combine
    #else
        public import OpenCombine
    #endif

    extension ObjectPublisher {
        /// The object as publishers.
        public var reactive: ReactiveNamespace { ReactiveNamespace(base: self) }

        /// An object as publishers of Combine, or of OpenCombine where there is no Combine: as a whole, or by its fields.
        @dynamicMemberLookup
        public struct ReactiveNamespace {
            /// The object's publisher.
            public let base: ObjectPublisher
        }

        /// Gives the snapshots of an object to its subscribers, on the view queue.
        public struct SnapshotPublisher: Publisher {
            /// A snapshot of the object; nil once it is deleted.
            public typealias Output = ObjectSnapshot<O>?
            /// It does not fail.
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
                                // An object that cannot be read is not taken for a deleted one.
                                guard snapshot != nil || object.isKnownAsDeleted else { return }
                                subscription?.send(snapshot)
                            }
                        },
                        stop: { [base] in base.removeObserver($0) }))
            }
        }
    }

    extension ObjectPublisher.ReactiveNamespace {
        /// The snapshots of the object, one after each commit that changes it, and nil once it is deleted.
        ///
        /// A subscriber that asks for any number of values gets all of them. One that asks for a few at a time gets the newest
        /// snapshot when it asks. If the object cannot be read, the error is logged, and there is no value until the next
        /// commit that changes the object. The publisher never completes.
        ///
        /// - Parameter emitInitialValue: whether to give the present snapshot at once, too.
        public func snapshot(emitInitialValue: Bool = true) -> ObjectPublisher.SnapshotPublisher {
            ObjectPublisher.SnapshotPublisher(base: base, emitInitialValue: emitInitialValue)
        }
    }

    /// The values of a field: the present one, and one after each commit that changes the object, also if it is the same.
    extension ObjectPublisher.ReactiveNamespace where O: CoreStoreObject {
        /// The values of a stored field; nil once the object is deleted.
        ///
        /// ```swift
        /// stack.publishObject(person).reactive.$name.sink { print($0 ?? "(deleted)") }.store(in: &cancellables)
        /// ```
        public subscript<OBase, V>(
            dynamicMember member: KeyPath<O, FieldContainer<OBase>.Stored<V>>
        ) -> AnyPublisher<V?, Never> {
            snapshot().map { $0?[dynamicMember: member] }.eraseToAnyPublisher()
        }

        /// The values of a virtual field; nil once the object is deleted.
        public subscript<OBase, V>(
            dynamicMember member: KeyPath<O, FieldContainer<OBase>.Virtual<V>>
        ) -> AnyPublisher<V?, Never> {
            snapshot().map { $0?[dynamicMember: member] }.eraseToAnyPublisher()
        }

        /// The values of a coded field; nil once the object is deleted.
        public subscript<OBase, V>(
            dynamicMember member: KeyPath<O, FieldContainer<OBase>.Coded<V>>
        ) -> AnyPublisher<V?, Never> {
            snapshot().map { $0?[dynamicMember: member] }.eraseToAnyPublisher()
        }
    }
#endif
