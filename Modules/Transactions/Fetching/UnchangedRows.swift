/// The stored rows of an entity's key space whose objects have no pending changes.
struct UnchangedRows {
    private let table: IdentityTable?
    private let merger: RowMerger

    init(_ state: ContextState, _ store: OpenStore, _ entity: Int) {
        table = state.identities.table(store.keySpaces[entity])
        merger = state.merger
    }

    func contains(_ key: Int64) -> Bool {
        guard let object = table?.object(key) else { return true }
        return !merger.isPending(object)
    }
}
