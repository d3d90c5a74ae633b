package import CofferStorage

extension RelatedRows {
    /// Groups rows by owner, in ascending order of the owners; a closure passes the rows one by one.
    ///
    /// - Parameter isOrdered: whether the rows of an owner have the order of the relationship already. If not, they are
    ///   sorted by key.
    package static func grouped(
        isOrdered: Bool,
        _ body: (_ add: (_ owner: Int64, _ row: consuming Row) -> Void) throws(StorageError) -> Void
    ) throws(StorageError) -> [RelatedRows] {
        var rows: [Int64: [Row]] = [:]
        try body { owner, row in rows[owner, default: []].append(row) }
        return rows.sorted { $0.key < $1.key }.map { owner, rows in
            RelatedRows(owner: owner, rows: isOrdered ? rows : rows.sorted { $0.key < $1.key })
        }
    }
}
