import CofferStorage

/// The read set of a serializable transaction, which becomes the conditions of its commit.
final class ReadSet {
    private var conditions: [ObjectIdentifier: [ChangeSet.Condition]] = [:]
    /// The error of a failed read, on which the transaction may depend.
    private(set) var failure: StorageError?

    /// What was read from a store.
    func conditions(_ store: OpenStore) -> [ChangeSet.Condition] { conditions[ObjectIdentifier(store)] ?? [] }

    /// Forgets everything: it was saved.
    func removeAll() { conditions = [:] }

    func note(_ condition: ChangeSet.Condition, _ store: ObjectIdentifier) {
        conditions[store, default: []].append(condition)
    }

    func reading<Output>(_ body: () throws(StorageError) -> Output) throws(StorageError) -> Output {
        do {
            return try body()
        } catch {
            // A request that is wrong has no answer to rely on.
            if error.code != .invalidRequest { failure = failure ?? error }
            throw error
        }
    }
}
