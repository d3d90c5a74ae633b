public import CofferStorage

/// A place where a store under test can be, such as a temporary directory or a schema of its own in a database.
///
/// The suite makes a fixture for each case, asks it for stores, and destroys it.
public protocol StorageFixture: Sendable {
    /// Whether what a store keeps is still there for the next one from ``makeStore()``, after the first was closed.
    ///
    /// When false, the suite checks that nothing is there instead.
    static var isPersistent: Bool { get }

    /// Whether two stores from ``makeStore()`` can be open at once and see each other's commits.
    ///
    /// When false for a persistent store, the suite checks that opening the second throws `busy`.
    static var isShared: Bool { get }

    /// Prepares a fresh place that no other fixture uses. There is no store in it yet.
    init() throws

    /// A store at this place, not opened. Called again, another one at the same place.
    func makeStore() throws -> any StorageInterface

    /// Removes the place with everything in it. Its stores are closed by then.
    func destroy()
}

extension StorageFixture {
    /// True unless the fixture says otherwise.
    public static var isPersistent: Bool { true }

    /// False unless the fixture says otherwise.
    public static var isShared: Bool { false }
}
