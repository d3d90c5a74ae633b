import CofferStorage

/// The change of a list by a commit or a refetch: removed, inserted, moved and updated places.
struct ListChange {
    /// The places in the old list of what left it, in ascending order.
    var removed: [Int] = []
    /// The places in the new list of what came into it, in ascending order.
    var inserted: [Int] = []
    /// The places in the old and in the new list of what was moved, or changed in a way that may move it.
    var moved: [(old: Int, new: Int)] = []
    /// The places in the old and in the new list of what changed and stayed.
    var updated: [(old: Int, new: Int)] = []

    var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}
