import CofferStorage

/// Collects the relationships that other transactions change, for the observers of an unsafe transaction.
// Sendable: a lock guards the mutable state.
final class RelationLog: Sendable {
    private let touched = Locked(TouchedRelations(limit: TouchedRelations.waitingLimit))
    /// The contexts of the observed transaction and of its parents, whose changes reach it without the log.
    private let contexts: Set<ObjectIdentifier>

    init(_ contexts: Set<ObjectIdentifier>) { self.contexts = contexts }

    /// Whether commits of a context belong in the log.
    fileprivate func isConcerned(by context: ObjectIdentifier) -> Bool { !contexts.contains(context) }

    fileprivate func add(_ changes: TouchedRelations) { touched.withLock { $0.merge(changes) } }

    /// Returns the changes since the last call.
    func take() -> TouchedRelations {
        touched.withLock { touched in
            defer { touched = TouchedRelations(limit: TouchedRelations.waitingLimit) }
            return touched
        }
    }
}

/// Collects the relationships that other transactions change, for the observers of unsafe transactions.
final class RelationLogs: Sendable {
    private let logs = Locked(WeakList<RelationLog>())

    func add(_ log: RelationLog) { logs.withLock { $0.append(log) } }

    /// Adds a commit to the logs of the other transactions.
    func add(_ part: CommitRecord.InStore, of context: ObjectIdentifier) {
        let logs = logs.withLock { $0.elements }.filter { $0.isConcerned(by: context) }
        guard !logs.isEmpty else { return }
        var changes = TouchedRelations(limit: TouchedRelations.waitingLimit)
        changes.add(part)
        for log in logs { log.add(changes) }
    }
}
