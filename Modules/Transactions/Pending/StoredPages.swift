import CofferStorage

/// The first stored rows of the last requests that had to skip many changed objects.
///
/// A loop may fetch the first object in a state, change the state, and repeat this. Each fetch then finds more
/// changed objects. If each fetch read the rows of these objects again, the loop would take time in the square of
/// their number.
struct StoredPages {
    private var pages: [StoredPage] = []
    private static let maximum = 4

    /// Returns the page of a request in the snapshot of a reader.
    func page(_ request: RowRequest, _ reader: any StorageReader) -> StoredPage? {
        pages.first { $0.reader === reader && $0.request == request }
    }

    mutating func add(_ page: StoredPage) {
        if pages.count == Self.maximum { pages.removeFirst() }
        pages.append(page)
    }
}

/// The first stored rows of a request, without the rows whose objects were found changed.
final class StoredPage {
    let request: RowRequest
    let reader: any StorageReader
    private var rows: [Row]
    /// How many rows at the beginning are not part of the page any more.
    private var start = 0
    /// How many rows were read.
    private var limit: Int
    private var isWhole: Bool

    /// - Parameters:
    ///   - request: the request, without offset and limit.
    ///   - rows: the first rows of the request.
    init(_ request: RowRequest, _ reader: any StorageReader, _ rows: [Row], limit: Int) {
        self.request = request
        self.reader = reader
        self.rows = rows
        self.limit = limit
        isWhole = rows.count < limit
    }

    /// Returns the first rows of unchanged objects; fewer than the wanted number only if there are no more.
    func rows(_ wanted: Int, where isUnchanged: (Int64) -> Bool) throws(StorageError) -> [Row] {
        while true {
            let found = take(wanted, where: isUnchanged)
            if found.count >= wanted || isWhole { return found }
            let (most, isTooMuch) = max(wanted, limit).multipliedReportingOverflow(by: 4)
            limit = isTooMuch ? .max : most
            var next = request
            next.limit = limit
            rows = try reader.rows(next)
            start = 0
            isWhole = rows.count < limit
        }
    }

    /// Finds the first unchanged rows, and moves them over the changed rows before them.
    private func take(_ wanted: Int, where isUnchanged: (Int64) -> Bool) -> [Row] {
        var found: [Row] = []
        var place = start
        while place < rows.count, found.count < wanted {
            if isUnchanged(rows[place].key) { found.append(rows[place]) }
            place += 1
        }
        guard place - start > found.count else { return found }
        start = place - found.count
        for (index, row) in found.enumerated() { rows[start + index] = row }
        if start > rows.count / 2 {
            rows.removeFirst(start)
            start = 0
        }
        return found
    }
}
