/// The objects that were fetched together.
///
/// The first look at a relationship of one of them loads it for all.
final class FetchBatch {
    /// The keys, in the order they were fetched.
    let keys: [Int64]

    init(_ keys: [Int64]) {
        self.keys = keys
    }
}
