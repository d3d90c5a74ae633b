/// Defines the conditions of a commit: former reads whose results must be unchanged when the commit is saved.
extension ChangeSet {
    /// A former read whose result must be the same when the changes are saved.
    ///
    /// The key and the version identify a row: each commit that changes a row increases its version.
    public enum Condition: Sendable {
        /// No transaction has changed or deleted the row since it was read; with `mayBeGone`, it may have been deleted.
        ///
        /// `conditions/unchanged`, `conditions/deleted`
        case unchanged(Row, mayBeGone: Bool)
        /// The result of ``StorageReader/rows(_:)`` (`conditions/rows`).
        case rows(RowRequest, [RowVersion])
        /// The result of ``StorageReader/rows(root:keys:)``, in any order (`conditions/rows-by-key`).
        case rowsByKey(root: Int, keys: [Int64], [RowVersion])
        /// The result of ``StorageReader/keys(_:)`` (`conditions/keys-and-counts`).
        case keys(RowRequest, [Int64])
        /// The result of ``StorageReader/count(_:)`` (`conditions/keys-and-counts`).
        case count(RowRequest, Int)
        /// The result of ``StorageReader/values(_:)`` (`conditions/values`).
        case values(ValueRequest, [[Value]])
        /// The result of ``StorageReader/related(_:of:)``, by owner (`conditions/related`).
        ///
        /// Owners without related rows are left out.
        case related(relationship: Int, owners: [Int64], [Int64: [RowVersion]])
        /// The keys of ``StorageReader/members(_:of:)`` for one owner, in their order (`conditions/members`).
        ///
        /// The content of the related rows and the numbers of their places do not matter.
        case members(relationship: Int, owner: Int64, [Int64])
    }

    /// The version of a row at the moment of a read.
    public struct RowVersion: Hashable, Sendable {
        /// The primary key.
        public var key: Int64
        /// The number of times that the row was written.
        public var version: Int64

        /// Creates a version of the row with a key.
        public init(key: Int64, version: Int64) {
            self.key = key
            self.version = version
        }

        /// Creates the version of a row.
        public init(_ row: Row) { self.init(key: row.key, version: row.version) }
    }
}
