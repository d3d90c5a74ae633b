import CofferStorage
import CofferTransactions

/// Returns an asynchronous sequence of the snapshots of a list.
extension ListPublisher {
    /// Returns the present snapshot of the list, and a new one after each commit that changes the list or its objects.
    ///
    /// ```swift
    /// let people = stack.publishList(From<Person>().orderBy(.ascending(\.$name)))
    /// for await snapshot in people.snapshots() {
    ///     print(snapshot.itemIDs)
    /// }
    /// ```
    ///
    /// If a loop was busy during several commits, it gets only the newest snapshot. `updatedItemIdentifiers` of this
    /// snapshot contains the items of all commits since the previous snapshot. The first snapshot has no updated items.
    /// The loop keeps the publisher alive. It ends when the data stack is deallocated or its storages are removed.
    ///
    /// - Parameter emitInitialValue: false to begin with the first change.
    public func snapshots(emitInitialValue: Bool = true) -> ObservedSequence<ListSnapshot<O>, Never> {
        // Only the view queue uses the publisher. Other threads only keep a reference to it, and remove observers.
        nonisolated(unsafe) let publisher = self
        return ObservedSequence {
            Subscription(publisher.cs_dataStack(), readsFirst: emitInitialValue) { subscription, _ in
                publisher.source(for: subscription)
            }
        }
    }

    /// Lets a subscription observe the list, on the view queue.
    func source<Failure: Error>(
        for subscription: Subscription<ListSnapshot<O>, Failure>
    ) -> Subscription<ListSnapshot<O>, Failure>.Source {
        let updates = SkippedUpdates()
        addObserver(updates) { [weak subscription, weak updates] publisher in
            updates?.add(publisher)
            subscription?.change()
        }
        return .init(
            read: { [self] in
                var snapshot = snapshot
                // The snapshot of the publisher may have the updated items of a commit before the loop.
                snapshot.updatedItemIdentifiers = updates.take(self)
                return .value(snapshot)
            },
            stop: { [self] in removeObserver(updates) })
    }
}

/// The ids of the items that commits updated since a subscription was read.
private final class SkippedUpdates {
    private var ids: Set<ObjectID> = []

    func add<O>(_ list: ListPublisher<O>) {
        ids.formUnion(list.snapshot.updatedItemIdentifiers)
        // Ids of items that left the list are removed before they outnumber the items of the list.
        if ids.count > 2 * list.snapshot.count + 1_024 { ids = ids.filter(list.holds) }
    }

    /// Returns the collected ids that are in the list, and clears the collection.
    func take<O>(_ list: ListPublisher<O>) -> Set<ObjectID> {
        defer { ids = [] }
        return ids.filter(list.holds)
    }
}
