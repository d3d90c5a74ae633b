import CofferSchema
import CofferStorage

/// How the view of a data stack reads and moves.
extension ObjectGraph {
    /// Reads a store as the view shows it.
    func read<Result>(
        _ store: OpenStore, in turns: ViewTurns,
        _ body: (any StorageReader) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
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

    /// A reader that shows what a store has now; nil when there is none to be had.
    func snapshot(of store: OpenStore) -> (any StorageReader)? {
        do throws(StorageError) {
            let reader = try backing.makeReader(store, isCurrent: false)
            try reader.begin(layout)
            return reader
        } catch {
            return nil
        }
    }

    /// Ends snapshots that are needed no more, except where one is being read.
    func endReads(of snapshots: some Collection<any StorageReader>) {
        guard snapshotReads == 0 else { return }
        for reader in snapshots { reader.finish() }
    }

    /// Gives the live objects what a commit made of them.
    func takeOver(_ record: CommitRecord) {
        guard record.isUnknown else { return merge(record) }
        sweep()
        var objects: [CoreStoreObject] = []
        forEachObject { objects.append($0) }
        _ = loggingErrors("refresh") { () throws(StorageError) in try reload(objects, mergingChanges: true) }
    }
}

extension StorageReader {
    /// Begins the snapshot.
    fileprivate func begin(_ layout: ModelLayout) throws(StorageError) {
        guard let root = layout.entities.first(where: { $0.root == $0.index }) else { return }
        _ = try row(root: root.index, key: 0)
    }
}
