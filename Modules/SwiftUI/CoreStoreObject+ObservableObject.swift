#if canImport(SwiftUI)
    import CofferObservation
    public import CofferSchema
    import CofferStorage
    public import Combine

    /// Makes objects observable in SwiftUI: when an object changes, it notifies the views that observe it.
    ///
    /// ```swift
    /// struct Form: View {
    ///     @ObservedObject var person: Person                // of an unsafe transaction
    ///
    ///     var body: some View {
    ///         TextField("Name", text: $person.name)
    ///     }
    /// }
    /// ```
    ///
    /// An object of a data stack notifies on the view queue, after each commit that changes or deletes the object. An
    /// object of a transaction notifies on the thread that sets a property, before and after the change: show objects
    /// of an unsafe transaction that is used on the main queue.
    extension CoreStoreObject: ObservableObject {
        /// A publisher of all changes of the object; each subscription observes the object until it is cancelled.
        public var objectWillChange: ObjectWillChange { ObjectWillChange(object: self) }

        /// A publisher of all changes of an object.
        public struct ObjectWillChange: Publisher {
            /// An empty value, which only reports a change.
            public typealias Output = Void
            /// The publisher never fails.
            public typealias Failure = Never

            let object: CoreStoreObject

            /// Observes the object until the subscription is cancelled.
            public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
                subscriber.receive(subscription: ChangeSubscription(subscriber, object))
            }
        }
    }

    /// A subscription that observes an object from the first demand until it is cancelled.
    private final class ChangeSubscription<S: Subscriber>: Subscription where S.Input == Void, S.Failure == Never {
        private struct State {
            var subscriber: S?
            /// The object; nil after its observation has begun.
            var object: CoreStoreObject?
            var changes: ObjectChangeNotifier?
            var demand = Subscribers.Demand.none
        }

        private let state = Locked(State())

        init(_ subscriber: S, _ object: CoreStoreObject) {
            state.withLock { $0 = State(subscriber: subscriber, object: object) }
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > 0 else { return }
            let object = state.withLock { state in
                defer { state.object = nil }
                state.demand += demand
                return state.object
            }
            guard let object else { return }
            let changes = ObjectChangeNotifier(of: object) { [weak self] in self?.send() }
            state.withLock { if $0.subscriber != nil { $0.changes = changes } }
        }

        private func send() {
            let subscriber = state.withLock { state -> S? in
                guard state.demand > 0 else { return nil }
                state.demand -= 1
                return state.subscriber
            }
            guard let demand = subscriber?.receive(()), demand > 0 else { return }
            state.withLock { $0.demand += demand }
        }

        func cancel() {
            // The object is released without the lock.
            let former = state.withLock { state in
                defer { state = State() }
                return state
            }
            former.changes?.end()
        }
    }
#endif
