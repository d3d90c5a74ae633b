import CofferSchema
import CofferStorage

/// What a transaction has done and not saved yet.
struct PendingChanges {
    /// A relationship of one object.
    struct Side: Hashable {
        var relationship: Int
        var owner: ObjectID
    }

    /// A link of a many-to-many relationship in one store.
    struct Link: Hashable {
        var table: Int
        var first: ObjectID
        var second: ObjectID
    }

    /// What was added to and removed from a to-many relationship that has not been loaded.
    struct Delta {
        var added: [Int64] = []
        var removed: Set<Int64> = []
    }

    /// A deletion that the objects it leads to must allow.
    struct Denial {
        var object: CoreStoreObject
        var relationship: Int
        var related: [CoreStoreObject]
    }

    /// New objects, in the order of their creation. May hold some that were deleted again.
    var inserted: [CoreStoreObject] = []
    var updated: [CoreStoreObject] = []
    var deleted: [CoreStoreObject] = []
    var deltas: [Side: Delta] = [:]
    var addedLinks: Set<Link> = []
    var removedLinks: Set<Link> = []
    /// The ordered many-to-many sides whose order was set.
    var reordered: [Side: CoreStoreObject] = [:]
    /// The sides with a minimum or maximum count that were changed.
    var counted: Set<Side> = []
    var denials: [Denial] = []

    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && addedLinks.isEmpty && removedLinks.isEmpty
            && reordered.isEmpty
    }
}
