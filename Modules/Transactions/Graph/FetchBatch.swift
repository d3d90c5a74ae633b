import CofferStorage

/// The objects that were fetched together.
///
/// The first look at a relationship of one of them loads it for all.
final class FetchBatch {
    /// The keys, in the order they were fetched.
    let keys: [Int64]

    init(_ parts: [ArraySlice<Row>]) {
        var keys: [Int64] = []
        keys.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for part in parts { for row in part { keys.append(row.key) } }
        self.keys = keys
    }
}
