#if canImport(Combine) || Reactive
    import CofferStorage

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    /// Sends only the latest value to a subscriber of Combine or OpenCombine, when the subscriber demands it.
    ///
    /// A value waits until the subscriber requests it, or until a newer value replaces it.
    final class DemandedValues<S: Subscriber> {
        private struct State {
            var subscriber: S?
            var demand = Subscribers.Demand.none
            var value: S.Input?
            var completion: Subscribers.Completion<S.Failure>?
            /// Whether a call of `deliver()` is running; this call also does the work of a second call.
            var isDelivering = false
        }

        private enum Step {
            case value(S.Input, S)
            case completion(Subscribers.Completion<S.Failure>, S)
        }

        private let state = Locked(State())

        init(_ subscriber: S) { state.withLock { $0.subscriber = subscriber } }

        /// Adds to the number of values that the subscriber requests.
        func request(_ demand: Subscribers.Demand) { state.withLock { $0.demand += demand } }

        /// Sets the newest value.
        func set(_ value: S.Input) {
            let former = state.withLock { state in
                defer { if state.subscriber != nil { state.value = value } }
                return state.value
            }
            withExtendedLifetime(former) {}
        }

        /// Completes after the subscriber has received the newest value; a failure completes immediately.
        func complete(_ completion: Subscribers.Completion<S.Failure>) {
            let former = state.withLock { state in
                state.completion = completion
                guard case .failure = completion else { return S.Input?.none }
                defer { state.value = nil }
                return state.value
            }
            withExtendedLifetime(former) {}
        }

        func cancel() {
            let former = state.withLock { state in
                defer { (state.subscriber, state.value, state.completion) = (nil, nil, nil) }
                return (state.subscriber, state.value)
            }
            withExtendedLifetime(former) {}
        }

        /// Sends the waiting value if there is demand, and the completion if no value waits.
        func deliver() {
            let mayBegin = state.withLock { state in
                defer { state.isDelivering = true }
                return !state.isDelivering
            }
            guard mayBegin else { return }
            // The lock is not held while the subscriber is called, because the subscriber may request values or
            // cancel.
            while let step = nextStep() {
                switch step {
                case .value(let value, let subscriber): request(subscriber.receive(value))
                case .completion(let completion, let subscriber): subscriber.receive(completion: completion)
                }
            }
        }

        private func nextStep() -> Step? {
            state.withLock { state in
                if let subscriber = state.subscriber {
                    if let value = state.value, state.demand > 0 {
                        state.value = nil
                        state.demand -= 1
                        return .value(value, subscriber)
                    }
                    if state.value == nil, let completion = state.completion {
                        (state.subscriber, state.completion) = (nil, nil)
                        return .completion(completion, subscriber)
                    }
                }
                state.isDelivering = false
                return nil
            }
        }
    }
#endif
