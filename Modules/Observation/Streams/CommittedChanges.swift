public import CofferStorage
import CofferTransactions

// Sendable: values, if the sources are; the documentation of 'sourceIdentifiers' requires that.
/// The objects that one or several commits of a data stack created, changed and deleted.
///
/// ```swift
/// for await changes in stack.async.commits() {
///     print(changes.insertedIDs.count, "new,", changes.deletedIDs.count, "deleted")
/// }
/// ```
///
/// A reader that was busy during several commits gets their changes in one value, as if one transaction had made them: an
/// object that was created and then changed is new, and one that was created and then deleted is not mentioned.
public struct CommittedChanges: @unchecked Sendable {
    /// The ids of new objects.
    public private(set) var insertedIDs: Set<ObjectID> = []
    /// The ids of objects whose values or relationships changed.
    public private(set) var updatedIDs: Set<ObjectID> = []
    /// The ids of deleted objects.
    public private(set) var deletedIDs: Set<ObjectID> = []
    /// The sources that the callers of the transactions named, in the order of the commits; nil for one that named none.
    ///
    /// They are the values and objects of the callers. If tasks follow the commits of a stack, use only sources of `Sendable`
    /// types, such as strings: the reader may use and release a source on another thread. Empty if ``isComplete`` is false.
    public private(set) var sourceIdentifiers: [Any?] = []
    /// Whether every changed object is mentioned.
    ///
    /// False if the reader or the view queue was too late: more than 1,024 commits, or several commits with more than 16,384
    /// changed objects, were not read. One commit is complete, whatever its size. If this is false, the ids are left out,
    /// and any object may have changed. Fetch again.
    public private(set) var isComplete = true

    /// Whether an object was created, changed or deleted, as far as is known: true for every object if ``isComplete`` is
    /// false.
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
            // The commit may have deleted an object that an earlier one of them created.
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
