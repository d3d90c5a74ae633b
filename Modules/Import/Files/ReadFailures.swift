import CofferSchema
import CofferStorage
import CofferTransactions

/// Keeps the first failure of a read that could not throw during an import, such as the read of a relationship.
///
/// A method of a class may refuse a record because a relationship could not be read and was empty.
final class ReadFailures: FailureKeeper {
    private let transaction: any FailureKeeper
    private(set) var first: StorageError?

    init(_ transaction: any FailureKeeper) { self.transaction = transaction }

    func keep(_ failure: StorageError) {
        // The transaction passes its own failures to the enclosing work, which is this object.
        guard first == nil else { return }
        first = failure
        transaction.keep(failure)
    }
}
