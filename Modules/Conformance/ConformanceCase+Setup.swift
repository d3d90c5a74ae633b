import CofferStorage

/// Creates cases with a usual setup: an open store, the town, or a store to load.
extension ConformanceCase {
    /// A case on an open store of the suite's own model, without rows.
    static func withStore(
        _ id: String, _ rule: String, _ body: @escaping @Sendable (Session) throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(id, rule) { try body($0.open()) }
    }

    /// A case on an open store with the people, pets, books and tags of the town.
    static func withTown(
        _ id: String, _ rule: String, _ body: @escaping @Sendable (_ town: Session) throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(id, rule) { try body($0.town()) }
    }

    /// A case on a store that does not exist yet, and on the town at another place of the same kind.
    ///
    /// If the store cannot be loaded, the case only checks that loading throws an error.
    static func withLoadable(
        _ id: String, _ rule: String,
        _ body: @escaping @Sendable (_ store: any StorageInterface, _ town: Session) throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(id, rule) {
            guard let store = try $0.loadable() else { return }
            let place = try $0.kind.init()
            defer { place.destroy() }
            let other = try place.makeStore()
            defer { other.close() }
            try body(store, Session(other, ModelLayout(Domain.model)).populated())
        }
    }
}
