import CofferStorage

/// Reads a read-only file without locks, and throws if another process has written the file.
///
/// A file without locks has no snapshot, so an answer counts only if no process has written the file in the meantime.
// Not Sendable: one thread at a time uses the reader, as StorageReader requires.
final class SQLiteUnlockedReader: StorageReader, LinkReader {
    private let base: SQLiteReader
    private let stamp: SQLiteStamp

    /// - Parameter stamp: the stamp of the file when it was opened.
    init(_ base: SQLiteReader, _ stamp: SQLiteStamp) {
        self.base = base
        self.stamp = stamp
    }

    /// Returns an answer; throws an error if the file was written meanwhile.
    ///
    /// If pages change during a statement, its result is meaningless, for example an error that the file is damaged.
    private func checked<Answer>(
        _ answer: @autoclosure () throws(StorageError) -> Answer
    ) throws(StorageError) -> Answer {
        let answer = Result(catching: answer)
        try stamp.checkUnchanged()
        return try answer.get()
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] { try checked(base.rows(request)) }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] { try checked(base.keys(request)) }

    func count(_ request: RowRequest) throws(StorageError) -> Int { try checked(base.count(request)) }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] { try checked(base.values(request)) }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? { try checked(base.row(root: root, key: key)) }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] { try checked(base.rows(root: root, keys: keys)) }

    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        try checked(base.related(relationship, of: owners))
    }

    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers] {
        try checked(base.members(relationship, of: owners))
    }

    func lastPlaces(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [Int64: Int64] {
        try checked(base.lastPlaces(relationship, of: owners))
    }

    func links(_ table: Int, after last: ChangeSet.Link?, limit: Int) throws(StorageError) -> [ChangeSet.Link] {
        try checked(base.links(table, after: last, limit: limit))
    }

    func finish() { base.finish() }
}
