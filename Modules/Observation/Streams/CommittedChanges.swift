public import CofferStorage
import CofferTransactions

// Sendable: all properties are values if the sources are, as the documentation of 'sourceIdentifiers' requires.
/// The ids that commits changed; joins unread commits, up to the limits of 1,024 commits and 16,384 objects.
///
/// ```swift
/// for await changes in stack.async.commits() {
///     print(changes.insertedIDs.count, "new,", changes.deletedIDs.count, "deleted")
/// }
/// ```
///
/// If a loop was busy during several commits, it gets their changes in one value, as if one transaction had made them.
/// If an object was created and then changed, it is new. If an object was created and then deleted, it is in none of
/// the sets.
public struct CommittedChanges: @unchecked Sendable {
    /// The ids of new objects.
    public private(set) var insertedIDs: Set<ObjectID> = []
    /// The ids of objects whose values or relationships changed.
    public private(set) var updatedIDs: Set<ObjectID> = []
    /// The ids of deleted objects.
    public private(set) var deletedIDs: Set<ObjectID> = []
    /// The sources that the callers passed to the transactions, in the order of the commits; nil for a missing source.
    ///
    /// The sources are values and objects of the callers. If tasks follow the commits of a stack, pass only sources of
    /// `Sendable` types, such as strings: a loop may use and release a source on another thread. If ``isComplete`` is
    /// false, the array is empty.
    public private(set) var sourceIdentifiers: [Any?] = []
    /// Whether the sets contain all changed objects.
    ///
    /// The value is false if the loop or the view queue was too late: more than 1,024 commits, or several commits with
    /// more than 16,384 changed objects, were not read. A single commit of any size is always complete. If the value is
    /// false, the ids are omitted, and any object may have changed. Fetch the objects again.
    public private(set) var isComplete = true

    /// Returns whether an object was created, changed or deleted.
    ///
    /// If ``isComplete`` is false, the result is true for every object.
    public func concerns(_ id: ObjectID) -> Bool {
        !isComplete || insertedIDs.contains(id) || updatedIDs.contains(id) || deletedIDs.contains(id)
    }
}

extension CommittedChanges {
    private static let commitLimit = 1_024
    private static let objectLimit = 16_384

    /// Adds a later commit.
    mutating func add(_ commit: CommitDigest) {
        guard isComplete else { return }
        guard !commit.isUnknown, sourceIdentifiers.count < Self.commitLimit else { return giveUp() }
        sourceIdentifiers.append(commit.source)
        for (storage, changes) in commit.changes {
            for (key, change) in changes { add(change, ObjectID(storage: storage, key: key)) }
        }
        for id in commit.touched.byOwner.keys where !insertedIDs.contains(id) && !deletedIDs.contains(id) {
            // The commit may have deleted an object that an earlier collected commit created.
            if let change = commit.change(of: id), change.new == nil { continue }
            updatedIDs.insert(id)
        }
        guard sourceIdentifiers.count > 1 else { return }
        if insertedIDs.count + updatedIDs.count + deletedIDs.count > Self.objectLimit { giveUp() }
    }

    private mutating func add(_ change: CommitDigest.Change, _ id: ObjectID) {
        if change.isInserted {
            insertedIDs.insert(id)
        } else if change.new != nil {
            if !insertedIDs.contains(id) { updatedIDs.insert(id) }
        } else {
            updatedIDs.remove(id)
            if insertedIDs.remove(id) == nil { deletedIDs.insert(id) }
        }
    }

    private mutating func giveUp() {
        self = CommittedChanges()
        isComplete = false
    }
}
