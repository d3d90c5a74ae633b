#if canImport(Combine) || Reactive
    import CofferStorage

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    /// A subscription that is an observer of a publisher from the first demand until it is cancelled.
    final class ObservingSubscription<S: Subscriber>: Subscription {
        private struct State {
            var subscriber: S?
            var start: ((ObservingSubscription) -> Void)?
            var stop: ((ObservingSubscription) -> Void)?
        }

        private let state = Locked(State())

        /// - Parameters:
        ///   - start: adds the observer; holds the observed publisher, as `stop` does.
        ///   - stop: removes the observer.
        init(
            _ subscriber: S, start: @escaping (ObservingSubscription) -> Void,
            stop: @escaping (ObservingSubscription) -> Void
        ) {
            state.withLock { $0 = State(subscriber: subscriber, start: start, stop: stop) }
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > 0 else { return }
            let start = state.withLock { state in
                defer { state.start = nil }
                return state.start
            }
            start?(self)
        }

        func cancel() {
            // The observed publisher is released without the lock.
            let former = state.withLock { state in
                defer { state = State() }
                return state
            }
            former.stop?(self)
        }

        /// Hands a value to the subscriber.
        func send(_ value: S.Input) { _ = state.withLock { $0.subscriber }?.receive(value) }
    }
#endif
