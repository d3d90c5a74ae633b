import CofferStorage

/// The read set of a serializable transaction, which becomes the conditions of its commit.
final class ReadSet {
    private var conditions: [ObjectIdentifier: [ChangeSet.Condition]] = [:]
    /// The error of a failed read, on which the transaction may depend.
    private(set) var failure: StorageError?

    /// Returns the conditions for the values that were read from a store.
    func conditions(_ store: OpenStore) -> [ChangeSet.Condition] { conditions[ObjectIdentifier(store)] ?? [] }

    /// Removes all conditions after a commit.
    func removeAll() { conditions = [:] }

    func note(_ condition: ChangeSet.Condition, _ store: ObjectIdentifier) {
        conditions[store, default: []].append(condition)
    }

    func reading<Output>(_ body: () throws(StorageError) -> Output) throws(StorageError) -> Output {
        do {
            return try body()
        } catch {
            // An invalid request has no result on which the transaction can depend.
            if error.code != .invalidRequest { failure = failure ?? error }
            throw error
        }
    }
}
