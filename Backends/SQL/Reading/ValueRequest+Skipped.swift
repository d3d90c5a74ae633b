package import CofferStorage

extension ValueRequest {
    /// Reads the results of the request, and also the results that the offset of the request skips.
    ///
    /// A sum with too many digits is an error, also in a result that the offset skips. A database checks no result that
    /// it does not return.
    ///
    /// - Parameter always: whether to read the skipped results also if they contain no sums.
    /// - Returns: the results after the offset.
    package func readingSkipped(
        always: Bool = false, _ read: (ValueRequest) throws(StorageError) -> [[Value]]?
    ) throws(StorageError) -> [[Value]]? {
        guard rows.offset > 0, rows.limit != 0, always || terms.contains(where: \.isSum) else { return try read(self) }
        var all = self
        all.rows.offset = 0
        all.rows.limit = rows.limit.map { $0.addingReportingOverflow(rows.offset) }
            .map { $0.overflow ? .max : $0.partialValue }
        guard var results = try read(all) else { return nil }
        results.removeFirst(min(rows.offset, results.count))
        return results
    }
}

extension ValueRequest.Term {
    /// Whether the value of the term is a sum, or an average, which needs a sum.
    fileprivate var isSum: Bool {
        guard case .aggregate(let aggregate, _) = self else { return false }
        return aggregate == .sum || aggregate == .average
    }
}
