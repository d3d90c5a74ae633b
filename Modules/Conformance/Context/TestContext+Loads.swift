import CofferStorage
import CofferStorageTools
import Foundation

/// Loads and copies stores in a case, and reads their whole content for comparisons.
extension TestContext {
    /// An open store at another place of the same kind, for as long as the body runs.
    func elsewhere<Result>(
        _ model: StoreModel = Domain.model, _ body: (Session) throws -> Result
    ) throws -> Result {
        let place = try kind.init()
        defer { place.destroy() }
        let store = try place.makeStore()
        defer { store.close() }
        let layout = try ModelLayout(model)
        let metadata = try store.open(layout)
        return try body(Session(store: store, layout: layout, metadata: metadata))
    }

    /// A store at this place, which is not there yet; nil when it cannot be loaded, once it has said so.
    func loadable() throws -> (any StorageInterface)? {
        let store = try makeStore()
        guard store is any LoadableStorage else {
            let layout = try ModelLayout(Domain.model)
            let error = try expectThrows(.unsupported, "loading") {
                try store.load(layout, as: UUID(), fill: { _ in })
            }
            try expectEqual(
                error.message,
                "\(store.storeDescription) cannot be loaded. Use a store that conforms to LoadableStorage.",
                "the text of the error"
            )
            return nil
        }
        return store
    }

    /// A store at this place with everything another one holds, open; nil when it cannot be loaded.
    func copied(_ session: Session) throws -> Session? {
        guard let store = try loadable() else { return nil }
        try session.store.copy(session.layout, to: store)
        return try opened(store, session.layout)
    }

    /// A store that was loaded.
    func opened(_ store: any StorageInterface, _ layout: ModelLayout) throws -> Session {
        Session(store: store, layout: layout, metadata: try store.open(layout))
    }
}

extension Session {
    /// All rows, each as a line.
    func lines() throws -> [String] {
        try layout.entities.filter { $0.root == $0.index }.flatMap { root in
            try rows(RowRequest(entity: root.index)).map { row in
                let entity = layout.entities[row.entity]
                return "\(entity.name) \(row.key) v\(row.version) \(row.values(entity.kinds))"
            }
        }
    }

    /// Where every to-many relationship leads from every row, each as a line.
    func paths() throws -> [String] {
        try layout.relationships.filter(\.isToMany).flatMap { relationship in
            let owners = try keys(RowRequest(entity: relationship.owner))
            let found = try related(relationship.index, of: owners)
            return owners.map { "\(relationship.name) of \($0): \(found[$0] ?? [])" }
        }
    }

    /// All links of a table, read some at a time.
    func links(_ table: Int, limit: Int) throws -> [ChangeSet.Link] {
        try store.read { reader throws(StorageError) in
            var links: [ChangeSet.Link] = []
            try reader.forEachLinkPage(table: table, limit: limit) { links += $0 }
            return links
        }
    }

    func summary() throws -> StoreSummary {
        try store.read { reader throws(StorageError) in try reader.summary(layout) }
    }
}
