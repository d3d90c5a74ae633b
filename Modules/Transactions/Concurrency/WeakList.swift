/// A list of objects that it does not retain; objects that were deallocated are left out.
struct WeakList<Element: AnyObject> {
    private struct Entry {
        weak var element: Element?
    }

    private var entries: [Entry] = []

    /// The objects that still exist.
    var elements: [Element] { entries.compactMap(\.element) }

    /// Whether the list has never had an object.
    var isEmpty: Bool { entries.isEmpty }

    mutating func append(_ element: Element) {
        entries.removeAll { $0.element == nil }
        entries.append(Entry(element: element))
    }
}
