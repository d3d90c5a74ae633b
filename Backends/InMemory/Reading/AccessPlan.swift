import CofferEvaluation
import CofferStorage

/// The query plan of a condition (keys, constraint, reference, index or scan), and the limit of index entries to visit.
///
/// With every plan, each found row is tested with the whole predicate.
///
/// The planner examines the conditions that every row must fulfil. The first rule that applies determines the plan:
/// 1. The key equals a constant or is in a list: look up the keys.
/// 2. A column with its own unique constraint equals a constant or is in a list: look up the hashes.
/// 3. A reference, or the first column of an index, equals a constant or is in a list: visit these entries.
/// 4. One of several conditions must be true, and each has a plan of rule 1 to 3: use the keys of all of these plans.
/// 5. The first column of an index is within bounds: visit these entries.
/// 6. One of several conditions must be true, and each has a plan of rule 1 to 5: use the keys of all of these plans.
/// 7. Otherwise, visit all rows.
///
/// The plans of rules 3 to 6 look up rows one by one. This costs several times as much per row as a scan. If such a
/// plan visits more than ``budget(_:)`` entries, the finder scans all rows instead. ``RowWalk`` is the alternative to
/// a plan for requests with an order or a limit.
enum AccessPlan {
    case keys([Int64])
    /// A unique constraint of one column, and the values.
    case unique(Int, [Value])
    /// A reference, and the keys that it may have.
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

    /// Returns the number of entries that a plan may visit before a scan of the table is the better plan.
    static func budget(_ count: Int) -> Int { max(count / 4, 1024) }
}

/// Defines the bounds of ranges of words; the lowest bound is null, which precedes every value.
extension SortWord: Comparable {
    /// The word after null and before every value.
    static let lowestValue = SortWord(high: 0, low: 1)
    static let highest = SortWord(high: .max, low: .max)
}
