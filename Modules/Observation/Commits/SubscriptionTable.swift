import CofferStorage

/// The protocol of subscriptions to asynchronous sequences, which the data stack can end.
protocol FinishableSubscription: AnyObject, Sendable {
    /// Ends the sequence, on any thread.
    func finish()
}

/// The subscriptions to one data stack that have not ended.
final class SubscriptionTable: Sendable {
    private struct Weak: Sendable {
        weak var subscription: (any FinishableSubscription)?
    }

    private struct Entries {
        var subscriptions: [ObjectIdentifier: Weak] = [:]
        /// The subscriptions that observe commits.
        var observing: Set<ObjectIdentifier> = []
    }

    private let entries = Locked(Entries())

    /// How many subscriptions observe commits.
    ///
    /// A subscription counts after the view queue has added its observer.
    var count: Int { entries.withLock { $0.observing.count } }

    /// Whether there is no subscription, also none whose observer is not added yet.
    var isEmpty: Bool { entries.withLock { $0.subscriptions.isEmpty } }

    func add(_ subscription: any FinishableSubscription) {
        entries.withLock { $0.subscriptions[ObjectIdentifier(subscription)] = Weak(subscription: subscription) }
    }

    /// Counts a subscription whose observer was added.
    ///
    /// A subscription that has ended does not count.
    func beginObserving(_ subscription: any FinishableSubscription) {
        let id = ObjectIdentifier(subscription)
        entries.withLock { entries in
            if entries.subscriptions[id] != nil { entries.observing.insert(id) }
        }
    }

    func remove(_ subscription: any FinishableSubscription) {
        let id = ObjectIdentifier(subscription)
        entries.withLock { entries in
            entries.subscriptions[id] = nil
            entries.observing.remove(id)
        }
    }

    /// Ends all of them.
    func finishAll() {
        // Each removes itself, so the lock is free while they end.
        let all = entries.withLock { $0.subscriptions.values.compactMap(\.subscription) }
        for subscription in all { subscription.finish() }
    }
}
