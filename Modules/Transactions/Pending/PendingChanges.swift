import CofferSchema
import CofferStorage

/// The pending changes of a transaction: objects, links, orders, denied deletions, cascades and failures.
struct PendingChanges {
    /// A relationship of one object.
    struct Side: Hashable, Comparable {
        var relationship: Int
        var owner: ObjectID

        static func < (left: Side, right: Side) -> Bool {
            (left.relationship, left.owner.storage, left.owner.key)
                < (right.relationship, right.owner.storage, right.owner.key)
        }
    }

    /// A link of a many-to-many relationship in one store.
    struct Link: Hashable {
        var table: Int
        var first: ObjectID
        var second: ObjectID
    }

    /// The members that were added to and removed from a to-many relationship that is not loaded.
    struct Delta {
        var added = MemberKeys()
        var removed: Set<Int64> = []
        /// The new order of the members; if it is set, it replaces the other two properties.
        var order: Order?

        /// Adds a member.
        mutating func add(_ member: Int64) {
            if order != nil {
                order?.current.append(member)
            } else {
                removed.remove(member)
                added.append(member)
            }
        }

        /// Removes a member.
        mutating func remove(_ member: Int64) {
            if order != nil {
                order?.current.removeAll(member)
            } else {
                added.removeAll(member)
                removed.insert(member)
            }
        }
    }

    /// The changed members of an ordered relationship.
    struct Order {
        /// The members before the first change of the transaction.
        var base: [Int64]
        /// The members in the transaction.
        var current: MemberKeys

        /// Adds stored members to the base, in the places in which the transaction added them.
        mutating func noteStored(_ members: Set<Int64>) {
            guard !members.isEmpty else { return }
            let known = Set(base)
            // The members to insert, by the member of the base before them.
            var following: [Int64?: [Int64]] = [:]
            var previous: Int64?
            for member in current.keys {
                if known.contains(member) {
                    previous = member
                } else if members.contains(member) {
                    following[previous, default: []].append(member)
                }
            }
            base = (following[nil] ?? []) + base.flatMap { [$0] + (following.removeValue(forKey: $0) ?? []) }
        }

        /// Removes members from the base that the store no longer has.
        ///
        /// A member that the transaction kept stays in the base. Otherwise, it would count as added.
        mutating func noteRemoved(_ members: Set<Int64>) {
            guard !members.isEmpty else { return }
            let gone = members.subtracting(current.keys)
            base.removeAll(where: gone.contains)
        }
    }

    /// A deletion that a delete rule forbids while objects are related.
    struct DeniedDeletion {
        var object: CoreStoreObject
        var relationship: Int
        var related: [CoreStoreObject]
    }

    /// The deletion of an object by a cascade, because the store related the object to a deleted object.
    struct Cascade {
        var relationship: Int
        /// The object whose deletion deleted this one.
        var owner: ObjectID
    }

    /// One field of one object.
    struct Field: Hashable {
        var owner: ObjectID
        var slot: Int
    }

    /// A value of a field that could not be set, with the error.
    struct Failure {
        var object: CoreStoreObject
        var error: StorageError
    }

    /// New objects, in the order of their creation.
    ///
    /// The list may contain objects that were deleted again.
    var inserted: [CoreStoreObject] = []
    var updated: [CoreStoreObject] = []
    /// Stored objects that were deleted.
    var deleted: [CoreStoreObject] = [] { didSet { identitiesOfDeleted = nil } }
    /// The identities of ``deleted``; nil until they are needed.
    private var identitiesOfDeleted: Set<ObjectIdentifier>?
    var deltas: [Side: Delta] = [:]
    var addedLinks: Set<Link> = []
    var removedLinks: Set<Link> = []
    /// The ordered many-to-many sides whose order was set.
    var reordered: [Side: CoreStoreObject] = [:]
    /// The stored members of to-many sides at their first change, as far as known.
    var bases: [Side: [Int64]] = [:]
    /// The to-many sides that were set directly, not through their inverses.
    var assigned: Set<Side> = []
    /// The members that assigned sides must still have in the store, if this is a condition of the commit.
    var expected: [Side: [Int64]] = [:]
    /// The sides with a minimum or maximum count that were changed.
    var counted: Set<Side> = []
    var deniedDeletions: [DeniedDeletion] = []
    /// Stored references that are nil because of a change of another object.
    ///
    /// Such a change is a delete rule, or a change of a one-to-one relationship of the other object.
    var nullified: Set<Field> = []
    /// Whether one-to-one relationships were changed; each of these changes affects two rows.
    var changesPartners = false
    /// Stored objects that delete rules have deleted.
    var cascades: [ObjectID: Cascade] = [:]
    /// The fields whose last value could not be encoded, so that the commit must fail.
    var failures: [Field: Failure] = [:]

    /// Adds a link, or cancels its removal.
    mutating func add(_ link: Link) {
        if removedLinks.remove(link) == nil { addedLinks.insert(link) }
    }

    /// Removes a link, or cancels its addition.
    mutating func remove(_ link: Link) {
        if addedLinks.remove(link) == nil { removedLinks.insert(link) }
    }

    /// Adds a stored object that was deleted.
    mutating func addDeleted(_ object: CoreStoreObject) {
        var identities = identitiesOfDeleted.take()
        deleted.append(object)
        identities?.insert(ObjectIdentifier(object))
        identitiesOfDeleted = identities
    }

    /// Returns whether ``deleted`` contains an object.
    mutating func isDeleted(_ object: CoreStoreObject) -> Bool {
        if identitiesOfDeleted == nil { identitiesOfDeleted = Set(deleted.lazy.map { ObjectIdentifier($0) }) }
        return identitiesOfDeleted?.contains(ObjectIdentifier(object)) ?? false
    }

    /// Whether there are no pending changes.
    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && addedLinks.isEmpty && removedLinks.isEmpty
            && reordered.isEmpty
    }

    /// Whether there is nothing to save, because all new objects were deleted again.
    var cancelsOut: Bool {
        updated.allSatisfy { $0.isDeleted } && deleted.isEmpty && addedLinks.isEmpty && removedLinks.isEmpty
            && reordered.isEmpty && inserted.allSatisfy(\.isDeleted)
    }

    /// Ends writes in place, because other code may use the rows from now on.
    func seal() {
        for object in inserted { object.state.remove(.isWritable) }
        for object in updated { object.state.remove(.isWritable) }
    }

    /// Removes and returns the changes of some objects.
    mutating func removing(_ isIncluded: (ObjectID) -> Bool) -> PendingChanges {
        let taken = keeping(isIncluded)
        self = keeping { !isIncluded($0) }
        return taken
    }

    /// Returns the changes of some objects.
    private func keeping(_ isIncluded: (ObjectID) -> Bool) -> PendingChanges {
        var kept = self
        kept.inserted.removeAll { !isIncluded($0.id) }
        kept.updated.removeAll { !isIncluded($0.id) }
        kept.deleted.removeAll { !isIncluded($0.id) }
        kept.deltas = deltas.filter { isIncluded($0.key.owner) }
        kept.addedLinks = addedLinks.filter { isIncluded($0.first) }
        kept.removedLinks = removedLinks.filter { isIncluded($0.first) }
        kept.reordered = reordered.filter { isIncluded($0.key.owner) }
        kept.bases = bases.filter { isIncluded($0.key.owner) }
        kept.assigned = assigned.filter { isIncluded($0.owner) }
        kept.expected = expected.filter { isIncluded($0.key.owner) }
        kept.counted = counted.filter { isIncluded($0.owner) }
        kept.deniedDeletions.removeAll { !isIncluded($0.object.id) }
        kept.nullified = nullified.filter { isIncluded($0.owner) }
        kept.cascades = cascades.filter { isIncluded($0.key) }
        kept.failures = failures.filter { isIncluded($0.key.owner) }
        return kept
    }
}

/// The pending order of an ordered many-to-many relationship of one object.
struct PendingOrder {
    let side: PendingChanges.Side
    let owner: CoreStoreObject
    /// All members, if they were loaded.
    var order: PendingChanges.Order?
    /// The added and removed members, if the stored members were not loaded.
    var delta: PendingChanges.Delta?
}
