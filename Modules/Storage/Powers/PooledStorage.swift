/// A store that has so many readers at a time at most.
///
/// A data stack keeps some readers for as long as commits wait for its view queue. It leaves most of these to others.
public protocol PooledStorage: StorageInterface {
    /// How many readers may be in use at a time; a further one waits.
    var readerLimit: Int { get }
}
