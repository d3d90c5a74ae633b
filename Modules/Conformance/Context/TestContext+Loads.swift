import CofferStorage
import CofferStorageTools
import Foundation

/// Loads and copies stores in a case, and reads their whole content for comparisons.
extension TestContext {
    /// A store at this place, which is not there yet; nil when it cannot be loaded, once it has said so.
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
    /// Another store with everything that this one holds, open.
    func copied(to other: any StorageInterface) throws -> Session {
        try store.copy(layout, to: other)
        return try Session(other, layout, namedRows: namedRows)
    }

    /// Where every to-many relationship leads from every row, each as a line.
    func paths() throws -> [String] {
        try layout.relationships.filter(\.isToMany).flatMap { relationship in
            let owners = try keys(RowRequest(entity: relationship.owner))
            let found = try related(relationship.index, of: owners)
            return owners.map { "\(relationship.name) of \($0): \(found[$0] ?? [])" }
        }
    }

    /// All links of a relationship's table, read some at a time.
    func links(_ relationship: String, limit: Int) throws -> [ChangeSet.Link] {
        let table = try linkTable(relationship)
        var links: [ChangeSet.Link] = []
        try read { try $0.forEachLinkPage(table: table, limit: limit) { links += $0 } }
        return links
    }

    func summary() throws -> StoreSummary { try read { try $0.summary(layout) } }
}
