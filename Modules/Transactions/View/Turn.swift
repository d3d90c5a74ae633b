import CofferStorage

/// A turn of the view queue: one commit, or joined commits with at most 16,384 rows and links, and their completions.
///
/// Commits are joined only if the view queue is very late.
struct Turn {
    /// A commit, or the end of a transaction that committed nothing.
    struct Part {
        /// The record of the commit; nil if nothing was committed.
        var record: CommitRecord?
        /// Called on the view queue, after the observers of the commit.
        var completion: (() -> Void)?
    }

    let id: Int
    private(set) var parts: [Part]
    /// The state of the changed stores before the turn, by the identity of the store.
    var snapshots: [ObjectIdentifier: any StorageReader] = [:]
    /// The number of the last commit of the turn; nil if it has none.
    private(set) var lastCommit: Int?
    /// How many rows and links the records hold.
    private(set) var size = 0
    private var recordCount = 0

    init(_ id: Int, _ part: Part) {
        self.id = id
        parts = []
        append(part)
    }

    /// The most rows and links, and the most commits, that a turn of joined commits holds.
    static let limits = (size: 16_384, count: 1_024)

    /// Adds a part that the view takes over in the same turn.
    ///
    /// If the records become too many or too large, one record without rows replaces them.
    mutating func append(_ part: Part) {
        if let record = part.record {
            lastCommit = record.number
            size += record.size
            recordCount += 1
        }
        parts.append(part)
        guard recordCount > 1, size > Self.limits.size || recordCount > Self.limits.count, let lastCommit else {
            return
        }
        let completions = parts.filter { $0.completion != nil }.map { Part(completion: $0.completion) }
        var unknown = CommitRecord(sourceIdentifier: SourceIdentifier(value: nil))
        unknown.number = lastCommit
        unknown.isUnknown = true
        unknown.touched = TouchedRelations(limit: TouchedRelations.waitingLimit)
        for case let record? in parts.map(\.record) {
            unknown.touched.merge(record.touched)
            for part in record.stores { unknown.touched.add(part) }
        }
        parts = [Part(record: unknown)] + completions
        (size, recordCount) = (0, 1)
    }

    /// Adds the parts of a later turn.
    mutating func append(_ turn: Turn) {
        for part in turn.parts { append(part) }
    }
}

/// The completion that follows the turn of a commit.
struct TurnCompletion {
    /// Whether the completion always gets a turn; otherwise only if the view must take a commit over.
    let isRequired: Bool
    let call: () -> Void
}

extension CommitRecord {
    /// The number of rows and links in the record.
    fileprivate var size: Int {
        stores.reduce(0) { $0 + $1.inserts.count + $1.updated.count + $1.deleted.count + $1.links.count }
    }
}
