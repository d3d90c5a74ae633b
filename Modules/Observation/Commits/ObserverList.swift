import CofferStorage

/// The observers of one monitor, of which any thread may remove one at any time.
///
/// They are added and called on the queue of the monitor. A removal does not wait for that queue: a notification that
/// runs there may end, and no later one calls the observer.
final class ObserverList<Entry> {
    private struct Content {
        var entries: [(number: Int, entry: Entry)] = []
        /// How often the entries were changed.
        var changes = 0
    }

    private let content = Locked(Content())
    private let observer: (Entry) -> AnyObject?

    /// - Parameter observer: the observer of an entry; nil once it is deallocated.
    init(_ observer: @escaping (Entry) -> AnyObject?) {
        self.observer = observer
    }

    /// Whether the observer of some entry with a property exists.
    func contains(where isIncluded: (Entry) -> Bool) -> Bool {
        copy.entries.contains { isIncluded($0.entry) && observer($0.entry) != nil }
    }

    /// Calls a closure with each entry whose observer exists, in the order in which they were added.
    ///
    /// An entry that the closure removes is passed over.
    func forEach(_ body: (Entry) -> Void) {
        let called = copy
        for (number, entry) in called.entries where observer(entry) != nil {
            let now = copy
            guard now.changes == called.changes || now.entries.contains(where: { $0.number == number }) else {
                continue
            }
            body(entry)
        }
    }

    /// Adds an entry in place of the former one of its observer.
    func add(_ entry: Entry) {
        let added = observer(entry)
        update { entries, number in
            entries = entries.filter { observer($0.entry) != nil && observer($0.entry) !== added } + [(number, entry)]
        }
    }

    /// Removes the entry of an observer.
    func remove(_ removed: AnyObject) {
        update { entries, _ in entries.removeAll { observer($0.entry) == nil || observer($0.entry) === removed } }
    }

    private var copy: Content {
        content.withLock { content in
            nonisolated(unsafe) let copy = content
            return copy
        }
    }

    /// Changes the entries without holding the lock: whatever the closure releases may call the list again, as an observer
    /// does that removes itself when it is deallocated.
    private func update(_ change: (inout [(number: Int, entry: Entry)], _ number: Int) -> Void) {
        while true {
            let former = copy
            var entries = former.entries
            change(&entries, former.changes)
            nonisolated(unsafe) let changed = Content(entries: entries, changes: former.changes + 1)
            let isDone = content.withLock { content in
                guard content.changes == former.changes else { return false }
                content = changed
                return true
            }
            withExtendedLifetime(former) {}
            if isDone { return }
        }
    }
}
