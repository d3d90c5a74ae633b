import CofferConformance
import CofferInMemory
import CofferStorage

/// One store in memory.
///
/// The store is the place: the data remains after the store is closed, but not after the store is deallocated.
struct InMemoryFixture: StorageFixture {
    static let isShared = true

    private let store = InMemoryStore()

    func makeStore() -> any StorageInterface { store }

    func destroy() {}
}
