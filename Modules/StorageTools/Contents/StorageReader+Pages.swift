package import CofferStorage

/// Reads the rows of an inheritance tree, or the links of a link table, in pages of a limited size.
extension StorageReader {
    /// Calls the closure with pages of the rows of a tree, in the order of their keys.
    ///
    /// The number of rows in a page depends on the size of the earlier rows, so that a page takes about two mebibytes.
    ///
    /// - Parameter root: the index of the root entity.
    package func forEachPage(
        root: Int, _ body: ([Row]) throws(StorageError) -> Void
    ) throws(StorageError) {
        var request = RowRequest(entity: root)
        var limit = 256
        while true {
            request.limit = limit
            let page = try rows(request)
            guard let last = page.last else { return }
            try body(page)
            guard page.count == limit else { return }
            request.predicate = .compare(.key, .greater, .value(.integer(last.key)))
            limit = Self.limit(after: page)
        }
    }

    /// The number of rows of the next page, a power of two, so that stores need few statements.
    private static func limit(after page: [Row]) -> Int {
        let size = page.reduce(0) { $0 + 64 + $1.slotCount * 8 + $1.tailSize }
        let wanted = max(1, min(4096, (2 << 20) / max(1, size / page.count)))
        return 1 << (Int.bitWidth - 1 - wanted.leadingZeroBitCount)
    }

    /// Calls the closure with pages of the links of a table, as `LinkReader.links(_:after:limit:)` returns them.
    ///
    /// - Throws: `unsupported` if the reader does not support links.
    package func forEachLinkPage(
        table: Int, limit: Int = 4096, _ body: ([ChangeSet.Link]) throws(StorageError) -> Void
    ) throws(StorageError) {
        guard let reader = self as? any LinkReader else {
            throw StorageError(
                .unsupported,
                "The readers of the store do not support links. Use a store whose readers conform to LinkReader."
            )
        }
        var last: ChangeSet.Link?
        while true {
            let page = try reader.links(table, after: last, limit: limit)
            guard !page.isEmpty else { return }
            try body(page)
            guard page.count == limit else { return }
            last = page.last
        }
    }
}
