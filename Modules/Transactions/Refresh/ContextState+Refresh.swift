/// The structures that read objects of a context again.
extension ContextState {
    var lostTargets: LostTargets { LostTargets(state: self) }
    var refresher: ObjectRefresher { ObjectRefresher(state: self) }
    var rowRefresher: RowRefresher { RowRefresher(state: self) }
    var relationFinder: TouchedRelationFinder { TouchedRelationFinder(state: self) }
}
