import CofferSchema
import CofferStorage
import CofferStorageTools

/// Tells whether pending changes may change the result of a request to one store.
struct PendingTouch {
    let state: ContextState
    let store: OpenStore

    init(_ state: ContextState, _ store: OpenStore) {
        self.state = state
        self.store = store
    }

    /// Whether a pending change may change the result of a request.
    func mayChange(_ request: RowRequest) -> Bool {
        if state.pending.isEmpty { return false }
        let relationships = request.relationships
        guard relationships.isEmpty else { return mayChange(relationships) }
        guard let touched = entities(in: store.keySpaces[request.entity]) else { return false }
        return touched.slots.contains {
            $0 == request.entity
                || (request.includesSubentities && state.layout.entity($0, isKindOf: request.entity))
        }
    }

    /// Whether a pending change could change the related objects of one of the relationships, or their values.
    func mayChange(_ relationships: Set<Int>) -> Bool {
        if !state.pending.addedLinks.isEmpty || !state.pending.removedLinks.isEmpty { return true }
        return relationships.contains { index in
            let relationship = state.layout.relationships[index]
            return [relationship.owner, relationship.destination].contains {
                entities(in: store.keySpaces[$0]) != nil
            }
        }
    }

    private func entities(in storage: UInt32) -> ColumnSet? {
        state.pendingIndex.touched.entities(in: storage, state.pending)
    }
}
