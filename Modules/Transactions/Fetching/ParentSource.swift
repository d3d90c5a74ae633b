import CofferSchema
import CofferStorage

/// Reads rows for a child transaction from its parent, including the pending changes of the parent.
final class ParentSource: ReaderSource {
    let parent: ContextState

    init(_ parent: ContextState) { self.parent = parent }

    var stores: [OpenStore] { parent.stores }

    var hasRemovedStores: Bool { parent.identities.stores.wereRemoved }

    func makeReader(_ store: OpenStore, isCurrent: Bool) throws(StorageError) -> any StorageReader {
        ParentReader(parent, store)
    }
}

/// Reads one store as a parent transaction sees it.
///
/// If the parent may still write a row, the reader returns a copy.
private final class ParentReader: StorageReader {
    private let parent: ContextState
    private let store: OpenStore

    init(_ parent: ContextState, _ store: OpenStore) {
        self.parent = parent
        self.store = store
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        try parent.fetcher.rows(store, request, pending: true)
    }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] { try rows(request).map(\.key) }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        guard request.offset == 0, request.limit == nil else { return try rows(request).count }
        return try parent.fetcher.count(store, request, pending: true)
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        try parent.readers.read(store, "query") { reader throws(StorageError) in try reader.values(request) }
    }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? {
        try parent.finder.object(store.id(key, of: root)).map { $0.row }
    }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] {
        try parent.finder.objects(keys.map { store.id($0, of: root) }).map { $0.row }
    }

    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        let layout = parent.layout.relationships[relationship]
        var result: [RelatedRows] = []
        for owner in try parent.finder.objects(owners.map { store.id($0, of: layout.owner) }) {
            let members = try parent.loader.toMany(layout, of: owner)
            result.append(RelatedRows(owner: owner.id.key, rows: members.map { $0.row }))
        }
        return result
    }

    /// Returns members without places: pending members of the parent have none yet, and a child needs none.
    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers] {
        try related(relationship, of: owners).map { related in
            RelatedMembers(owner: related.owner, members: related.rows.map { .init(key: $0.key, place: nil) })
        }
    }

    func finish() {}
}
