import CofferStorage
import CofferStorageTools
import Foundation

/// Loads and copies stores in a case, and reads their whole content for comparisons.
extension TestContext {
    /// Returns a new store for loading at this place; nil if the store cannot be loaded.
    ///
    /// If the store cannot be loaded, the method checks that loading throws an error.
    func loadable() throws -> (any StorageInterface)? {
        let store = try makeStore()
        guard store is any LoadableStorage else {
            let layout = try ModelLayout(Domain.model)
            let message = "\(store.storeDescription) cannot be loaded. Use a store that conforms to LoadableStorage."
            try expectThrows(.unsupported, saying: message, "loading") {
                try store.load(layout, as: UUID(), fill: { _ in })
            }
            return nil
        }
        return store
    }
}

extension Session {
    /// Copies this store to another store, and opens the copy.
    func copied(to other: any StorageInterface) throws -> Session {
        try store.copy(layout, to: other)
        return try Session(other, layout, namedRows: namedRows)
    }

    /// Returns the related rows of every row in every to-many relationship, each as a line.
    func paths() throws -> [String] {
        try layout.relationships.filter(\.isToMany).flatMap { relationship in
            let owners = try keys(RowRequest(entity: relationship.owner))
            let found = try related(relationship.index, of: owners)
            return owners.map { "\(relationship.name) of \($0): \(found[$0] ?? [])" }
        }
    }

    /// Returns all links of a relationship's table, read in pages.
    func links(_ relationship: String, limit: Int) throws -> [ChangeSet.Link] {
        let table = try linkTable(relationship)
        var links: [ChangeSet.Link] = []
        try read { try $0.forEachLinkPage(table: table, limit: limit) { links += $0 } }
        return links
    }

    func summary() throws -> StoreSummary { try read { try $0.summary(layout) } }
}
