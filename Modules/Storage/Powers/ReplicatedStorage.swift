/// A store whose readers may be answered by copies of it, which follow what is committed a little later.
///
/// What the store itself has committed, and what its readers have shown, a later reader from ``makeReader()`` shows too;
/// what other processes have committed last, it may not.
public protocol ReplicatedStorage: StorageInterface {
    /// A reader of the place that commits are made in.
    ///
    /// Transactions that write read with it: what they write follows from what they have read.
    func makeCurrentReader() throws(StorageError) -> any StorageReader
}
