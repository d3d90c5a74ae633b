import CofferSchema

/// The position up to which a list of pending objects has been read.
struct PendingCursor {
    private(set) var count = 0
    private var last: CoreStoreObject?

    /// Whether the list has only grown since it was read.
    func isValid(in objects: [CoreStoreObject]) -> Bool {
        count <= objects.count && (count == 0 || objects[count - 1] === last)
    }

    mutating func move(toEndOf objects: [CoreStoreObject]) {
        guard count != objects.count else { return }
        (count, last) = (objects.count, objects.last)
    }
}
