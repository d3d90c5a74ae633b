import CofferStorage

/// What the file holds.
///
/// Everything is kept by name, so that the order of a model's parts does not matter.
struct Document: Codable {
    struct StoredRow: Codable {
        var entity: EntityName
        var key: Int64
        var version: Int64
        /// By the name of the column; nulls are left out.
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
    /// The next key to give, by the name of the root entity.
    var nextKeys: [EntityName: Int64] = [:]
    var rows: [StoredRow] = []
    var links: [StoredLink] = []
}
