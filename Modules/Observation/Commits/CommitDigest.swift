import CofferStorage
import CofferTransactions

/// The digest of a commit for observers: the changed objects by id, the relationships, and the merges.
///
/// The digest is created once for each commit, in time proportional to the changes of the commit.
struct CommitDigest {
    /// The change of one row by a commit.
    struct Change {
        /// The row before the commit; nil if the row is new, or if this process did not know the row.
        let old: Row?
        /// The row after the commit; nil if the row was deleted.
        let new: Row?
        /// Whether the row is new.
        let isInserted: Bool
    }

    let number: Int
    /// Whether any row may have changed, because the changes are not known one by one.
    ///
    /// An unsafe transaction reports only its flush and the changed relationships. If the view queue is much too
    /// late, the stack reports only that there were commits.
    let isUnknown: Bool
    /// The source identifier that the caller of the transaction passed.
    let source: Any?
    /// The changes of rows, by key space and key.
    private(set) var changes: [UInt32: [Int64: Change]] = [:]
    /// The changed relationships by owner; a known commit names every owner.
    private(set) var touched = TouchedRelations()
    /// The relationships whose links changed.
    private(set) var relationships: Set<Int> = []

    /// The ids of new objects that were merged, with the ids of the existing objects that they were merged into.
    private(set) var merges: [ObjectID: ObjectID] = [:]

    init(_ record: CommitRecord) {
        number = record.number
        isUnknown = record.isUnknown
        source = record.sourceIdentifier.value
        touched = record.touched
        for part in record.stores { add(part) }
    }

    /// Creates the digest of a flush of an unsafe transaction.
    ///
    /// - Parameter touched: the relationships that changed, by object.
    init(flush number: Int, _ source: Any?, touched: TouchedRelations) {
        self.number = number
        self.source = source
        self.touched = touched
        isUnknown = true
    }

    /// Returns the change of an object; nil if the object did not change.
    func change(of id: ObjectID) -> Change? { changes[id.storage]?[id.key] }

    private mutating func add(_ part: CommitRecord.InStore) {
        for row in part.inserted {
            add(Change(old: nil, new: row, isInserted: true), row, in: part.store)
        }
        for (old, new) in part.updated {
            add(Change(old: old, new: new, isInserted: false), new, in: part.store)
        }
        for row in part.deleted {
            add(Change(old: row, new: nil, isInserted: false), row, in: part.store)
        }
        for merge in part.merges {
            let space = part.store.keySpaces[merge.root]
            merges[ObjectID(storage: space, key: merge.from)] = ObjectID(storage: space, key: merge.into)
        }
        touched.add(part)
        relationships.formUnion(part.relationships)
    }

    private mutating func add(_ change: Change, _ row: Row, in store: OpenStore) {
        changes[store.keySpaces[row.entity], default: [:]][row.key] = change
    }
}
