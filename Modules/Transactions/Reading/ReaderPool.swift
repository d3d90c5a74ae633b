package import CofferStorage

/// The readers of one context: decides whether a read uses a kept snapshot, a new reader or the snapshot of a turn.
///
/// A transaction or read keeps one snapshot of each store. An unsafe transaction takes a reader for each read. The view
/// of a data stack reads from the snapshots of its turns.
package final class ReaderPool {
    private let source: any ReaderSource
    private let layout: ModelLayout
    private let isEditable: Bool
    /// Whether one snapshot of each store is kept from the first read until ``release()``.
    private let keepsSnapshot: Bool

    // Exclusivity is not checked at run time: no access to one of these properties calls other code while it lasts.
    /// The values that were read, if they must be the same at the commit.
    @exclusivity(unchecked) var readSet: ReadSet?
    /// Ends the reads of a cancelled task.
    @exclusivity(unchecked) var cancellation: Cancellation?
    /// The number of commits of each store when the context first read from it.
    @exclusivity(unchecked) var seenCommits: [ObjectIdentifier: Int] = [:]
    /// The turns of a data stack's view; nil for a transaction or read.
    @exclusivity(unchecked) var turns: ViewTurns?
    /// Whether the transaction or read is over, so that it keeps no more snapshots.
    ///
    /// A store would have to keep former rows for a snapshot.
    @exclusivity(unchecked) var isFinished = false

    @exclusivity(unchecked) private var readers: [ObjectIdentifier: any StorageReader] = [:]
    /// The number of running reads of snapshots of the turns.
    @exclusivity(unchecked) private var snapshotReads = 0

    init(_ source: any ReaderSource, _ layout: ModelLayout, isEditable: Bool, keepsSnapshot: Bool) {
        self.source = source
        self.layout = layout
        self.isEditable = isEditable
        self.keepsSnapshot = keepsSnapshot
    }

    /// Reads from a store, in the kept snapshot if there is one.
    package func read<Output>(
        _ store: OpenStore, _ operation: String,
        _ body: (any StorageReader) throws(StorageError) -> Output
    ) throws(StorageError) -> Output {
        try store.named(operation) { () throws(StorageError) in
            if let turns { return try read(store, in: turns, body) }
            if let reader = readers[ObjectIdentifier(store)] { return try run(body, reader) }
            if isEditable, seenCommits[ObjectIdentifier(store)] == nil {
                seenCommits[ObjectIdentifier(store)] = store.commitCount
            }
            let reader = try makeReader(store)
            if keepsSnapshot, !isFinished {
                readers[ObjectIdentifier(store)] = reader
                return try run(body, reader)
            }
            defer { reader.finish() }
            return try run(body, reader)
        }
    }

    /// Returns the rows with some keys in a store.
    func rows(
        _ keys: [Int64], root: Int, _ store: OpenStore, _ operation: String
    ) throws(StorageError) -> [Row] {
        try read(store, operation) { reader throws(StorageError) in try reader.rows(root: root, keys: keys) }
    }

    /// Returns the members of a to-many relationship of some owners.
    func members(
        _ relationship: Int, of owners: [Int64], _ store: OpenStore, _ operation: String
    ) throws(StorageError) -> [RelatedMembers] {
        try read(store, operation) { reader throws(StorageError) in try reader.members(relationship, of: owners) }
    }

    @inline(__always)
    private func run<Output>(
        _ body: (any StorageReader) throws(StorageError) -> Output, _ reader: any StorageReader
    ) throws(StorageError) -> Output {
        guard let cancellation else { return try body(reader) }
        return try cancellation.during(reader) { () throws(StorageError) in try body(reader) }
    }

    /// Creates a reader of a store, which records its results if there is a read set.
    private func makeReader(_ store: OpenStore) throws(StorageError) -> any StorageReader {
        let reader = try source.makeReader(store, isCurrent: isEditable)
        guard let readSet else { return reader }
        return RecordingReader(reader, store, readSet)
    }

    /// Ends the kept snapshots; the next read takes new ones.
    func release() {
        for reader in readers.values { reader.finish() }
        readers = [:]
    }

    /// Whether others have committed to a store since the context first read from it.
    func hasNewCommits(_ store: OpenStore) -> Bool {
        seenCommits[ObjectIdentifier(store)].map { $0 != store.commitCount } ?? false
    }

    // MARK: The view of a data stack

    /// Reads a store as the view shows it.
    private func read<Output>(
        _ store: OpenStore, in turns: ViewTurns,
        _ body: (any StorageReader) throws(StorageError) -> Output
    ) throws(StorageError) -> Output {
        switch turns.source(store) {
        case .snapshot(let reader):
            snapshotReads += 1
            defer { snapshotReads -= 1 }
            return try body(reader)
        case .current(let isUrgent):
            var isBeginning = true
            defer { if isBeginning { turns.endBeginning() } }
            let reader = try makeReader(store)
            defer { reader.finish() }
            if isUrgent {
                try reader.begin(layout)
                isBeginning = false
                turns.endBeginning()
            }
            return try body(reader)
        }
    }

    /// Returns a reader of the current state of a store; nil if the store provides none.
    func snapshot(of store: OpenStore) -> (any StorageReader)? {
        let reader = try? source.makeReader(store, isCurrent: false)
        return (try? reader?.begin(layout)) == nil ? nil : reader
    }

    /// Ends snapshots that are no longer needed, unless one of them is being read.
    func endReads(of snapshots: some Collection<any StorageReader>) {
        guard snapshotReads == 0 else { return }
        for reader in snapshots { reader.finish() }
    }
}

extension StorageReader {
    /// Begins the snapshot.
    fileprivate func begin(_ layout: ModelLayout) throws(StorageError) {
        guard let root = layout.entities.first(where: { $0.root == $0.index }) else { return }
        _ = try row(root: root.index, key: 0)
    }
}
