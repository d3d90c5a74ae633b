import CofferConformance
import CofferInMemory
import CofferStorage

/// One store in memory. The store is the place: what it keeps outlives closing it, not letting go of it.
struct InMemoryFixture: StorageFixture {
    static let isShared = true

    private let store = InMemoryStore()

    func makeStore() -> any StorageInterface { store }

    func destroy() {}
}
