/// The structures that apply delete rules in a context.
extension ContextState {
    var deleteRules: DeleteRules { DeleteRules(state: self) }
    var cascadeCheck: CascadeCheck { CascadeCheck(state: self) }
    var storedRelations: StoredRelations { StoredRelations(state: self) }
}
