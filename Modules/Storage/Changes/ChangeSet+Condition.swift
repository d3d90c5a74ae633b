extension ChangeSet {
    /// Something that was read, and must still be so when the changes are made.
    ///
    /// A row is known by its key and version: each commit that changes a row counts its version up.
    public enum Condition: Sendable {
        /// No transaction has changed or deleted the row since it was read; with `mayBeGone`, it may have been deleted.
        ///
        /// `conditions/unchanged`, `conditions/deleted`
        case unchanged(Row, mayBeGone: Bool)
        /// What ``StorageReader/rows(_:)`` returned (`conditions/rows`).
        case rows(RowRequest, [RowVersion])
        /// What ``StorageReader/rows(root:keys:)`` returned, in any order (`conditions/rows-by-key`).
        case rowsByKey(root: Int, keys: [Int64], [RowVersion])
        /// What ``StorageReader/keys(_:)`` returned (`conditions/keys-and-counts`).
        case keys(RowRequest, [Int64])
        /// What ``StorageReader/count(_:)`` returned (`conditions/keys-and-counts`).
        case count(RowRequest, Int)
        /// What ``StorageReader/values(_:)`` returned (`conditions/values`).
        case values(ValueRequest, [[Value]])
        /// What ``StorageReader/related(_:of:)`` returned, by owner, without those that lead to none
        /// (`conditions/related`).
        case related(relationship: Int, owners: [Int64], [Int64: [RowVersion]])
        /// The keys that ``StorageReader/members(_:of:)`` returned for one owner, in their order: neither the related rows
        /// nor the numbers of their places matter (`conditions/members`).
        case members(relationship: Int, owner: Int64, [Int64])
    }

    /// A row as it was when it was read.
    public struct RowVersion: Hashable, Sendable {
        /// The primary key.
        public var key: Int64
        /// How often the row had been written.
        public var version: Int64

        /// A version of the row with a key.
        public init(key: Int64, version: Int64) {
            self.key = key
            self.version = version
        }

        /// The version that a row is.
        public init(_ row: Row) { self.init(key: row.key, version: row.version) }
    }
}
