import CofferStorage
import CofferTransactions

/// The digest of a commit for observers: the changed objects by id, the relationships, and the merges.
///
/// The digest is created once for each commit, in time proportional to the changes of the commit.
struct CommitDigest {
    /// What became of one row.
    struct Change {
        /// As it was; nil when it is new, or when this process did not know it.
        let old: Row?
        /// As it is now; nil when it was deleted.
        let new: Row?
        /// Whether the row is new.
        let isInserted: Bool
    }

    let number: Int
    /// Whether any row may have changed: an unsafe transaction tells only that it was flushed and which relationships
    /// changed, and a view queue that was much too late is told only that there were commits.
    let isUnknown: Bool
    /// What the transaction's caller named as the source.
    let source: Any?
    /// What became of rows, by key space and key.
    private(set) var changes: [UInt32: [Int64: Change]] = [:]
    /// The relationships whose related objects changed, by owner; for a known commit, of single owners only.
    private(set) var touched = TouchedRelations()
    /// The relationships whose links changed.
    private(set) var relationships: Set<Int> = []

    /// The new objects that were merged into existing ones, and the ids of these.
    private(set) var merges: [ObjectID: ObjectID] = [:]

    init(_ record: CommitRecord) {
        number = record.number
        isUnknown = record.isUnknown
        source = record.sourceIdentifier.value
        touched = record.touched
        for part in record.stores { add(part) }
    }

    /// The flush of an unsafe transaction.
    ///
    /// - Parameter touched: the relationships that changed, by object.
    init(flush number: Int, _ source: Any?, touched: TouchedRelations) {
        self.number = number
        self.source = source
        self.touched = touched
        isUnknown = true
    }

    /// What became of an object; nil when nothing did.
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
