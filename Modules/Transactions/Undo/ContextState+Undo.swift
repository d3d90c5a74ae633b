/// The structures that undo and redo the changes of a context.
extension ContextState {
    var savepoints: Savepoints { Savepoints(state: self) }
    var historyRebase: HistoryRebase { HistoryRebase(state: self) }
}
