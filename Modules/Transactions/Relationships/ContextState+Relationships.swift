/// The structures that load, change and delete related objects of a context.
extension ContextState {
    var deltas: RelationshipDeltas { RelationshipDeltas(state: self) }
    var loader: RelationshipLoader { RelationshipLoader(state: self) }
    var relationshipEditor: RelationshipEditor { RelationshipEditor(state: self) }
    var deleter: ObjectDeleter { ObjectDeleter(state: self) }
    var staleRelations: StaleRelations { StaleRelations(state: self) }
}
