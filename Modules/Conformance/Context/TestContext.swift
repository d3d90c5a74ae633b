import CofferStorage

/// The context of one run of a case: creates stores in the fixture, and closes them at the end.
final class TestContext: Sendable {
    private let fixture: any StorageFixture
    private let stores = Locked<[any StorageInterface]>([])

    init(_ fixture: any StorageFixture) { self.fixture = fixture }

    /// The kind of place, to make other places of.
    var kind: any StorageFixture.Type { type(of: fixture) }
    var isPersistent: Bool { type(of: fixture).isPersistent }
    var isShared: Bool { type(of: fixture).isShared }

    /// A store, not opened.
    func makeStore() throws -> any StorageInterface {
        let store = try fixture.makeStore()
        stores.withLock { $0.append(store) }
        return store
    }

    /// An open store, by default of the suite's own model.
    func open(_ model: StoreModel = Domain.model) throws -> Session { try Session(makeStore(), ModelLayout(model)) }

    /// An open store with the people, pets and books of the town.
    func town() throws -> Session { try open().populated() }

    /// Closes a store, and opens the one that is then at its place.
    func reopened(_ session: Session) throws -> Session {
        session.store.close()
        let again = try Session(makeStore(), session.layout, namedRows: session.namedRows)
        if isPersistent { try expectEqual(again.metadata, session.metadata, "the metadata after opening again") }
        return again
    }

    func closeAll() {
        for store in stores.withLock({ $0 }) { store.close() }
    }
}
