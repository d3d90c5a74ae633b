import CofferStorage

/// A turn of the view queue: one commit, or joined commits with at most 16,384 rows and links, and their completions.
///
/// Commits are joined only if the view queue is very late.
struct Turn {
    /// A commit, or the end of a transaction that committed nothing.
    struct Part {
        /// Nil where nothing was committed.
        var record: CommitRecord?
        /// Called on the view queue, after the observers of the commit.
        var completion: (() -> Void)?
    }

    let id: Int
    private(set) var parts: [Part]
    /// The state before the turn, for the stores that it changes, by the identity of the store.
    var snapshots: [ObjectIdentifier: any StorageReader] = [:]
    /// The number of the last commit of the turn; nil where there is none.
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

    /// Adds what the view takes over in the same turn.
    ///
    /// Where the records become too many, one record that says nothing but that something changed takes their place.
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

    /// Takes over the parts of a later turn.
    mutating func append(_ turn: Turn) {
        for part in turn.parts { append(part) }
    }
}

/// What follows the turn of a commit.
struct TurnCompletion {
    /// Whether it is called in a turn in any case; otherwise only where the view has to take something over.
    let isRequired: Bool
    let call: () -> Void
}

extension CommitRecord {
    /// How many rows and links it holds.
    fileprivate var size: Int {
        stores.reduce(0) { $0 + $1.inserts.count + $1.updated.count + $1.deleted.count + $1.links.count }
    }
}
