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
    func open(_ model: StoreModel = Domain.model) throws -> Session {
        let layout = try ModelLayout(model)
        let store = try makeStore()
        let metadata = try store.open(layout)
        return Session(store: store, layout: layout, metadata: metadata)
    }

    /// An open store with the people, pets and books that ``Town`` tells of.
    func town() throws -> Town { try Town(in: open()) }

    func closeAll() {
        for store in stores.withLock({ $0 }) { store.close() }
    }
}
