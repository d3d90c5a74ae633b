public import CofferStorage

/// A place for the store under test, such as a temporary directory or a separate schema of a database.
///
/// The suite creates a fixture for each case, requests stores from the fixture, and destroys it.
public protocol StorageFixture: Sendable {
    /// Whether the data of a closed store is still there for the next store of ``makeStore()``.
    ///
    /// If the value is false, the suite checks that the next store is empty.
    static var isPersistent: Bool { get }

    /// Whether two stores of ``makeStore()`` can be open at once and see each other's commits.
    ///
    /// If the value is false for a persistent store, the suite checks that opening the second store throws `busy`.
    static var isShared: Bool { get }

    /// Creates a new place that no other fixture uses, without a store.
    init() throws

    /// Creates a store at this place, without opening it.
    ///
    /// Each further call creates another store at the same place.
    func makeStore() throws -> any StorageInterface

    /// Removes the place and its content.
    ///
    /// All stores of the place are closed before.
    func destroy()
}

extension StorageFixture {
    /// True by default.
    public static var isPersistent: Bool { true }

    /// False by default.
    public static var isShared: Bool { false }
}
