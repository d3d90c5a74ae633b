import CofferStorage

/// A subscription that can be ended from outside.
protocol FinishableSubscription: AnyObject, Sendable {
    /// Ends the sequence, on any thread.
    func finish()
}

/// The subscriptions to one data stack that have not ended.
final class SubscriptionTable: Sendable {
    private struct Weak: Sendable {
        weak var subscription: (any FinishableSubscription)?
    }

    private let subscriptions = Locked<[ObjectIdentifier: Weak]>([:])

    /// How many subscriptions have not ended.
    var count: Int { subscriptions.withLock { $0.count } }

    func add(_ subscription: any FinishableSubscription) {
        subscriptions.withLock { $0[ObjectIdentifier(subscription)] = Weak(subscription: subscription) }
    }

    func remove(_ subscription: any FinishableSubscription) {
        subscriptions.withLock { $0[ObjectIdentifier(subscription)] = nil }
    }

    /// Ends all of them.
    func finishAll() {
        // Each removes itself, so the lock is free while they end.
        for subscription in subscriptions.withLock({ $0.values.compactMap(\.subscription) }) { subscription.finish() }
    }
}
