import CofferStorage

/// The content of the file.
///
/// Everything is stored by name, so that the order of the parts of a model does not matter.
struct Document: Codable {
    struct StoredRow: Codable {
        var entity: EntityName
        var key: Int64
        var version: Int64
        /// The values by the names of the columns; nulls are omitted.
        var values: [String: Value]
    }

    struct StoredLink: Codable {
        /// The entity and the name of the relationship on the first side of the table.
        var relationship: [String]
        var first: Int64
        var second: Int64
        var firstPosition: Int64?
        var secondPosition: Int64?
    }

    var metadata: StoreMetadata
    /// The next free key, by the name of the root entity.
    var nextKeys: [EntityName: Int64] = [:]
    var rows: [StoredRow] = []
    var links: [StoredLink] = []
}
