/// A store whose readers may use replicas, which follow the commits with a delay.
///
/// A later reader of ``makeReader()`` shows all commits of the store itself, and all data that earlier readers have
/// shown. It may not yet show the latest commits of other processes.
public protocol ReplicatedStorage: StorageInterface {
    /// Returns a reader of the place where commits are saved.
    ///
    /// Transactions that write use this reader, because their changes depend on their reads.
    func makeCurrentReader() throws(StorageError) -> any StorageReader
}
