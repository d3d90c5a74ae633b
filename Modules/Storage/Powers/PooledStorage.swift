/// A store with a limited number of simultaneous readers.
///
/// While commits wait for its view queue, a data stack keeps some readers. It leaves most of the readers of such a
/// store to other code.
public protocol PooledStorage: StorageInterface {
    /// The maximum number of readers in use at the same time; a further reader waits.
    var readerLimit: Int { get }
}
