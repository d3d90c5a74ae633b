import CofferStorage

/// The protocol of subscriptions to asynchronous sequences, which the data stack can end.
protocol FinishableSubscription: AnyObject, Sendable {
    /// Ends the sequence, on any thread.
    func finish()
}

/// The subscriptions to one data stack that have not ended.
final class SubscriptionTable: Sendable {
    private struct Entry: Sendable {
        weak var subscription: (any FinishableSubscription)?
        /// Whether the subscription observes commits.
        var isObserving = false
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])

    /// The number of subscriptions that observe commits.
    ///
    /// A subscription counts after the view queue has added its observer.
    var count: Int { entries.withLock { $0.values.count(where: \.isObserving) } }

    /// Whether there are no subscriptions, including subscriptions whose observers are not added yet.
    var isEmpty: Bool { entries.withLock { $0.isEmpty } }

    func add(_ subscription: any FinishableSubscription) {
        entries.withLock { $0[ObjectIdentifier(subscription)] = Entry(subscription: subscription) }
    }

    /// Counts a subscription whose observer was added.
    ///
    /// A subscription that has ended does not count.
    func beginObserving(_ subscription: any FinishableSubscription) {
        entries.withLock { $0[ObjectIdentifier(subscription)]?.isObserving = true }
    }

    func remove(_ subscription: any FinishableSubscription) {
        entries.withLock { $0[ObjectIdentifier(subscription)] = nil }
    }

    /// Ends all subscriptions.
    func finishAll() {
        // Each subscription removes itself, so the lock must be free while the subscriptions end.
        let all = entries.withLock { $0.values.compactMap(\.subscription) }
        for subscription in all { subscription.finish() }
    }
}
