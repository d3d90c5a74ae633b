/// Closures that are called as long as the objects they are for exist: one for each object.
struct ClosureObservers<Publisher> {
    private struct Entry {
        weak var observer: AnyObject?
        let callback: (Publisher, Any?) -> Void
    }

    // By the identity of the observer, whose address another object may have after it.
    private var entries: [ObjectIdentifier: Entry] = [:]

    /// Sets the closure for an object.
    mutating func add(_ observer: AnyObject, _ callback: @escaping (Publisher, Any?) -> Void) {
        entries = entries.filter { $0.value.observer != nil }
        entries[ObjectIdentifier(observer)] = Entry(observer: observer, callback: callback)
    }

    mutating func remove(_ observer: AnyObject) {
        entries[ObjectIdentifier(observer)] = nil
    }

    /// Calls every closure.
    func call(_ publisher: Publisher, _ source: Any?) {
        for entry in entries.values where entry.observer != nil { entry.callback(publisher, source) }
    }
}
