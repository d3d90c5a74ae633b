/// The list of observer closures of a publisher, one for each observing object.
final class ClosureObservers<Publisher> {
    private struct Entry {
        weak var observer: AnyObject?
        let callback: (Publisher, Any?) -> Void
    }

    private let entries = ObserverList<Entry> { $0.observer }

    /// Sets the closure for an object.
    func add(_ observer: AnyObject, _ callback: @escaping (Publisher, Any?) -> Void) {
        entries.add(Entry(observer: observer, callback: callback))
    }

    /// Removes the closure of an object, on any thread.
    func remove(_ observer: AnyObject) { entries.remove(observer) }

    /// Calls every closure.
    func call(_ publisher: Publisher, _ source: Any?) {
        entries.forEach { $0.callback(publisher, source) }
    }
}
