import CofferStorage

/// The change of a list by a commit or a refetch: removed, inserted, moved and updated places.
struct ListChange {
    /// The places in the old list of the removed objects, in ascending order.
    var removed: [Int] = []
    /// The places in the new list of the inserted objects, in ascending order.
    var inserted: [Int] = []
    /// The places in both lists of objects that moved, or changed in a way that may move them.
    var moved: [(old: Int, new: Int)] = []
    /// The places in both lists of objects that changed and stayed.
    var updated: [(old: Int, new: Int)] = []

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}
