import CofferStorage

/// The observers of one monitor, of which any thread may remove one at any time.
///
/// They are added and called on the queue of the monitor. A removal does not wait for that queue: the notification that
/// runs there may end, and no later one calls the observer.
final class ObserverList<Entry> {
    private let entries = Locked<[Entry]>([])
    private let observer: (Entry) -> AnyObject?

    /// - Parameter observer: the observer of an entry; nil once it is deallocated.
    init(_ observer: @escaping (Entry) -> AnyObject?) {
        self.observer = observer
    }

    /// The entries whose observers exist, in the order in which they were added.
    var current: [Entry] { entries.withLock { $0 }.filter { observer($0) != nil } }

    /// Adds an entry in place of the former one of its observer.
    func add(_ entry: Entry) {
        nonisolated(unsafe) let entry = entry
        let added = observer(entry)
        update { $0 = $0.filter { observer($0) != nil && observer($0) !== added } + [entry] }
    }

    /// Removes the entry of an observer.
    func remove(_ removed: AnyObject) {
        update { $0.removeAll { observer($0) == nil || observer($0) === removed } }
    }

    /// The former entries are released without the lock: an object that ends with them may come back to the list.
    private func update(_ change: (inout [Entry]) -> Void) {
        let former = entries.withLock { entries in
            nonisolated(unsafe) let former = entries
            change(&entries)
            return former
        }
        withExtendedLifetime(former) {}
    }
}
