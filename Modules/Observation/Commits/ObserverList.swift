import CofferEvaluation
import CofferStorage

/// The list of the observers of one monitor: replaces, removes and releases observers, on any thread.
///
/// Observers are added and called on the queue of the monitor. A removal does not wait for that queue: a running
/// notification may continue, but no later notification calls the observer.
///
/// The time to add, remove or call an observer does not grow with the list. A removed entry leaves a gap, and the
/// gaps are closed when the list has doubled.
final class ObserverList<Entry> {
    /// The number of an entry, and the entry; the entry is nil after its removal.
    private typealias Place = (number: Int, entry: Entry?)

    private struct Content {
        /// The places, in ascending order of their numbers.
        var places: [Place] = []
        /// The numbers of the entries by their observers.
        ///
        /// An observer that was deallocated may have left its number.
        var numbers: [ObjectIdentifier: Int] = [:]
        /// The number of changes to the entries.
        var changes = 0
        var sweepAt = 16

        /// Removes and returns the entry of an observer.
        mutating func take(_ observer: ObjectIdentifier) -> Entry? {
            guard let number = numbers.removeValue(forKey: observer), let index = index(of: number) else { return nil }
            defer { places[index].entry = nil }
            return places[index].entry
        }

        func index(of number: Int) -> Int? {
            let index = Search.count(of: places) { $0.number < number }
            return index < places.count && places[index].number == number ? index : nil
        }
    }

    private let content = Locked(Content())
    private let observer: (Entry) -> AnyObject?

    /// - Parameter observer: the observer of an entry; nil once it is deallocated.
    init(_ observer: @escaping (Entry) -> AnyObject?) { self.observer = observer }

    /// Whether an entry meets a condition and its observer exists.
    func contains(where isIncluded: (Entry) -> Bool) -> Bool {
        copy.places.contains { place in place.entry.map { isIncluded($0) && observer($0) != nil } ?? false }
    }

    /// Calls a closure with each entry whose observer exists, in the order in which they were added.
    ///
    /// An entry that the closure removes is skipped.
    func forEach(_ body: (Entry) -> Void) {
        let called = copy
        for (number, entry) in called.places {
            guard let entry, observer(entry) != nil, isHeld(number, since: called.changes) else { continue }
            body(entry)
        }
    }

    private func isHeld(_ number: Int, since changes: Int) -> Bool {
        content.withLock { content in
            content.changes == changes || content.index(of: number).map { content.places[$0].entry != nil } ?? false
        }
    }

    /// Adds an entry, which replaces the earlier entry of its observer.
    func add(_ entry: Entry) {
        guard let added = observer(entry) else { return }
        let isFull = update { content in
            let former = content.take(ObjectIdentifier(added))
            content.numbers[ObjectIdentifier(added)] = content.changes
            content.places.append((content.changes, entry))
            content.changes += 1
            return (former, content.places.count >= content.sweepAt)
        }
        if isFull { sweep() }
        withExtendedLifetime(added) {}
    }

    /// Removes the entry of an observer.
    func remove(_ removed: AnyObject) {
        update { content in
            let former = content.take(ObjectIdentifier(removed))
            content.changes += 1
            return (former, ())
        }
    }

    /// Closes the gaps of removed entries, and removes entries whose observers were deallocated.
    private func sweep() {
        let dead = Set(copy.places.filter { $0.entry.flatMap(observer) == nil }.map(\.number))
        update { content in
            let former = content
            content.places = former.places.filter { $0.entry != nil && !dead.contains($0.number) }
            content.numbers = former.numbers.filter { !dead.contains($0.value) }
            content.sweepAt = max(16, 2 * content.places.count)
            content.changes += 1
            return (former, ())
        }
    }

    private var copy: Content {
        content.withLock { content in
            // Unsafe: the copy is a value of its own, and only the caller uses it.
            nonisolated(unsafe) let copy = content
            return copy
        }
    }

    /// Changes the entries.
    ///
    /// Removed entries are released without the lock, because their release may call the list again. For example, an
    /// observer may remove itself when it is deallocated.
    ///
    /// - Parameter change: must not access observers; returns the values to release, and the result.
    @discardableResult
    private func update<Released, Result>(_ change: (inout Content) -> (Released, Result)) -> Result {
        let (released, result) = content.withLock { content in
            // Unsafe: the outcome leaves the lock once, and only this call uses it.
            nonisolated(unsafe) let outcome = change(&content)
            return outcome
        }
        withExtendedLifetime(released) {}
        return result
    }
}
