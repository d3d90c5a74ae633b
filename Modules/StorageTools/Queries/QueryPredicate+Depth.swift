package import CofferStorage

extension QueryPredicate {
    /// How many levels a condition may have.
    ///
    /// Whatever reads, compares or releases a condition calls itself for each level, also on a thread with a stack of
    /// one megabyte.
    package static let maximumDepth = 100

    /// Why a condition or an expression with more than ``maximumDepth`` levels is refused.
    package static let tooDeep =
        "The request nests deeper than \(maximumDepth) levels. Combine many conditions with 'combinedByAnd()' or "
        + "'combinedByOr()', ask for one of many values with 'IN', and compute less in one expression."

    /// Throws when there are more than ``maximumDepth`` levels.
    package func requireDepth() throws(StorageError) {
        guard depth() <= Self.maximumDepth else { throw .invalidRequest(Self.tooDeep) }
    }

    /// How many levels the condition has, or more than a limit.
    ///
    /// An `and` in an `and` is on the same level, as is an `or` in an `or`.
    package func depth(upTo limit: Int = maximumDepth) -> Int {
        guard limit > 0 else { return 1 }
        switch self {
        case .constant, .invalid: return 1
        case .not(let part): return 1 + part.depth(upTo: limit - 1)
        case .and, .or:
            var deepest = 0
            for part in flatParts where deepest < limit { deepest = max(deepest, part.depth(upTo: limit - 1)) }
            return 1 + deepest
        case .comparison(let comparison):
            return 1 + max(comparison.left.depth(upTo: limit - 1), comparison.right.depth(upTo: limit - 1))
        }
    }

    /// The parts of an `and` or `or`, those of its parts that are the same taking their place, and so on; all of it,
    /// when it is neither.
    package var flatParts: [QueryPredicate] {
        var flat: [QueryPredicate] = []
        var rest = [self]
        while let next = rest.popLast() {
            switch (self, next) {
            case (.and, .and(let parts)), (.or, .or(let parts)): rest += parts.reversed()
            default: flat.append(next)
            }
        }
        return flat
    }
}

extension QueryExpression {
    /// Throws when there are more than ``QueryPredicate/maximumDepth`` levels.
    package func requireDepth() throws(StorageError) {
        guard depth() <= QueryPredicate.maximumDepth else { throw .invalidRequest(QueryPredicate.tooDeep) }
    }

    /// How many levels the expression has, or more than a limit.
    package func depth(upTo limit: Int = QueryPredicate.maximumDepth) -> Int {
        guard limit > 0 else { return 1 }
        switch self {
        case .value, .values, .keyPath, .evaluatedObject, .now: return 1
        case .outer(let inner): return 1 + inner.depth(upTo: limit - 1)
        case .list(let parts), .function(_, let parts):
            var deepest = 0
            for part in parts where deepest < limit { deepest = max(deepest, part.depth(upTo: limit - 1)) }
            return 1 + deepest
        case .conditional(let condition, let first, let second):
            let deepest = max(first.depth(upTo: limit - 1), second.depth(upTo: limit - 1))
            return 1 + max(deepest, condition.depth(upTo: limit - 1))
        case .aggregate(_, let value, _, let condition):
            return 1 + max(value.depth(upTo: limit - 1), condition.depth(upTo: limit - 1))
        }
    }
}
