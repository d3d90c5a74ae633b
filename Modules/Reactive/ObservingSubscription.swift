#if canImport(Combine) || Reactive
    import CofferStorage
    import CofferTransactions
    import Dispatch

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    /// A subscription that observes a publisher from the first demand until it is cancelled.
    ///
    /// The subscriber is called on the view queue, even if it requests values on another thread.
    final class ObservingSubscription<S: Subscriber>: Subscription {
        private struct State {
            var start: ((ObservingSubscription) -> Void)?
            var stop: ((ObservingSubscription) -> Void)?
        }

        private let state = Locked(State())
        private let values: DemandedValues<S>
        private weak var stack: DataStack?

        /// - Parameters:
        ///   - start: adds the observer; keeps the observed publisher alive, as `stop` does.
        ///   - stop: removes the observer.
        init(
            _ subscriber: S, in stack: DataStack?, start: @escaping (ObservingSubscription) -> Void,
            stop: @escaping (ObservingSubscription) -> Void
        ) {
            values = DemandedValues(subscriber)
            self.stack = stack
            state.withLock { $0 = State(start: start, stop: stop) }
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > 0 else { return }
            values.request(demand)
            stack.onView { [self] in
                let start = state.withLock { state in
                    defer { state.start = nil }
                    return state.start
                }
                start?(self)
                values.deliver()
            }
        }

        func cancel() {
            // The observed publisher is released without the lock.
            let former = state.withLock { state in
                defer { state = State() }
                return state
            }
            former.stop?(self)
            values.cancel()
        }

        /// Sends a value to the subscriber, on the view queue.
        func send(_ value: S.Input) {
            values.set(value)
            values.deliver()
        }
    }

    extension DataStack? {
        /// Runs the closure on the view queue: immediately on this queue, asynchronously on other threads.
        ///
        /// Without a stack, the closure runs immediately.
        func onView(_ body: @escaping () -> Void) {
            guard let self, !self.isOnViewQueue else { return body() }
            let body = UnsafeTransfer(body)
            self.viewQueue.async { body.value() }
        }
    }
#endif
