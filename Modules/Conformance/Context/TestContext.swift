import CofferStorage

/// The context of one run of a case: creates stores in the fixture, and closes them at the end.
final class TestContext: Sendable {
    private let fixture: any StorageFixture
    private let stores = Locked<[any StorageInterface]>([])

    init(_ fixture: any StorageFixture) { self.fixture = fixture }

    /// The type of the fixture, which creates other places.
    var kind: any StorageFixture.Type { type(of: fixture) }
    var isPersistent: Bool { type(of: fixture).isPersistent }
    var isShared: Bool { type(of: fixture).isShared }

    /// Returns a new store that is not open.
    func makeStore() throws -> any StorageInterface {
        let store = try fixture.makeStore()
        stores.withLock { $0.append(store) }
        return store
    }

    /// Returns an open store, by default with the suite's own model.
    func open(_ model: StoreModel = Domain.model) throws -> Session { try Session(makeStore(), ModelLayout(model)) }

    /// Returns an open store with the people, pets and books of the town.
    func town() throws -> Session { try open().populated() }

    /// Closes a store, and opens a new store at the same place.
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
