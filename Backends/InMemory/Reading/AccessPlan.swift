import CofferEvaluation
import CofferStorage

/// The query plan of a condition (keys, constraint, reference, index or scan), and the limit of index entries to visit.
///
/// Whatever the plan, every row found is held against the whole predicate.
///
/// The rule, first match wins, looking at the conditions that must all hold:
/// 1. the key equals a constant or is in a list: look the keys up;
/// 2. a column with a unique constraint of its own equals a constant or is in a list: look the hashes up;
/// 3. a reference, or the first column of an index, equals a constant or is in a list: walk those entries;
/// 4. one of several conditions must hold, and each has a plan of 1 to 3: take the keys of all of them;
/// 5. the first column of an index is within bounds: walk those entries;
/// 6. one of several conditions must hold, and each has a plan of 1 to 5: take the keys of all of them;
/// 7. otherwise walk all rows.
///
/// Walks 3 to 6 look rows up one by one, which costs several times as much as passing them in a scan; they give up in
/// favour of 7 when they have met more than ``budget(_:)`` entries. ``RowWalk`` is the alternative to a plan for requests
/// with an order or a limit.
enum AccessPlan {
    case keys([Int64])
    /// A unique constraint of one column, and the values.
    case unique(Int, [Value])
    /// A reference, and the keys it may have.
    case reference(Int, [Int64])
    /// Ranges of the first column of an index.
    case ranges(index: Int, [ClosedRange<SortWord>])
    /// The keys of several plans.
    indirect case union([AccessPlan])
    case scan

    /// Whether the plan visits equal values only, and therefore few rows in most tables.
    var isSelective: Bool {
        switch self {
        case .keys, .unique, .reference: true
        case .ranges(_, let ranges): ranges.allSatisfy { $0.lowerBound == $0.upperBound }
        case .union(let parts): parts.allSatisfy(\.isSelective)
        case .scan: false
        }
    }

    /// How many entries a walk may meet in a table of some rows before a scan is the better plan.
    static func budget(_ count: Int) -> Int { max(count / 4, 1024) }
}

/// The bounds of ranges of words; the lowest is null, which is before every value.
extension SortWord: Comparable {
    /// After null and before every value.
    static let lowestValue = SortWord(high: 0, low: 1)
    static let highest = SortWord(high: .max, low: .max)
}
