package import CofferStorage

/// Limits conditions and expressions to 100 nested levels, and has the message for a deeper request.
extension QueryPredicate {
    /// The maximum number of levels of a condition.
    ///
    /// Code that reads, compares or releases a condition calls itself for each level. It may run on a thread with a
    /// stack of one megabyte.
    package static let maximumDepth = 100

    /// The reason for refusing a condition or an expression with more than ``maximumDepth`` levels.
    package static let tooDeep =
        "The request has more than \(maximumDepth) nested levels. Combine many conditions with 'combinedByAnd()' or "
        + "'combinedByOr()', compare with many values by 'IN', and compute less in one expression."
}

extension QueryTree {
    /// Throws an error if there are more than ``QueryPredicate/maximumDepth`` levels.
    package func requireDepth() throws(StorageError) {
        guard depth() <= QueryPredicate.maximumDepth else { throw .invalidRequest(QueryPredicate.tooDeep) }
    }

    /// The number of levels of the condition or the expression; if it exceeds the limit, any number above the limit.
    ///
    /// An `and` in an `and` is on the same level, as is an `or` in an `or`.
    package func depth(upTo limit: Int = QueryPredicate.maximumDepth) -> Int {
        guard limit > 0 else { return 1 }
        var deepest = 0
        forEachChild(
            { if deepest < limit { deepest = max(deepest, $0.depth(upTo: limit - 1)) } },
            { if deepest < limit { deepest = max(deepest, $0.depth(upTo: limit - 1)) } })
        return 1 + deepest
    }
}
