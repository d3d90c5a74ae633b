import CofferEvaluation
import CofferSchema
import CofferStorage

/// A walk through pending objects in the order of a request; the walk ends when enough of them match.
struct PendingWalk {
    let column: PendingColumn
    private var range = WordRange.all
    private var isAscending = true
    /// Whether the order of the request has no other column.
    private var isAlone = true

    /// - Parameter storage: the key space of the request.
    /// - Returns: nil if the order needs all objects.
    init?(_ request: RowRequest, _ accesses: [PendingAccess], _ storage: UInt32) {
        let key = PendingColumn.key(storage: storage, entity: request.entity)
        guard let sort = request.order.first else {
            // Objects with one value are in the order of their keys.
            (column, range) = accesses.lazy.compactMap(\.soleWord).first ?? (key, .all)
            return
        }
        switch sort.expression {
        case .key: column = key
        case .column(let slot, let kind) where kind != .decimal:
            column = PendingColumn(storage: storage, entity: request.entity, slot: slot, kind: kind)
        default: return nil
        }
        isAscending = sort.ascending
        isAlone = request.order.count == 1
        for case .range(column, let range) in accesses { self.range = range }
    }

    /// Returns the rows of the first matching objects: the wanted number or more, if there are so many.
    ///
    /// - Parameters:
    ///   - budget: the maximum number of objects to evaluate.
    ///   - sorted: sorts rows of one word.
    /// - Returns: nil if the budget was not sufficient.
    func first(
        _ wanted: Int, of list: PendingList, budget: Int, _ matches: (CoreStoreObject) -> Bool,
        _ sorted: ([Row]) -> [Row]
    ) -> [Row]? {
        var rows: [Row] = []
        var visited = 0
        var rest: WordRange? = range
        while rows.count < wanted, let range = rest, let word = list.word(in: range, isFirst: isAscending) {
            // Objects with equal values are in the order of their keys.
            let isOrdered = isAlone && word.isExact
            let isWhole = isOrdered && isAscending && column.hasExactWords
            var group: [Row] = []
            list.forEachObject(isWhole ? range : WordRange(word)) { object in
                visited += 1
                if matches(object) { group.append(object.row) }
                return visited <= budget && !(isOrdered && rows.count + group.count >= wanted)
            }
            guard visited <= budget else { return nil }
            rows += isOrdered ? group : sorted(group)
            rest = isWhole ? nil : range.without(word, atLowerEnd: isAscending)
        }
        return rows
    }
}

extension PendingAccess {
    /// The column and the word of an access by one value; nil if other values have the same word.
    fileprivate var soleWord: (PendingColumn, WordRange)? {
        switch self {
        case .values(let column, let values):
            guard values.count == 1, let word = SortWord(values[0], as: column.kind), word.isExact else { return nil }
            return (column, WordRange(word))
        case .range(let column, let range): return range.isSingle && range.lower.isExact ? (column, range) : nil
        case .keys, .any: return nil
        }
    }
}

extension PendingColumn {
    /// Whether values with equal words are equal.
    fileprivate var hasExactWords: Bool {
        switch kind {
        case .integer, .reference, .double, .date, .boolean: true
        case .text, .blob, .decimal: false
        }
    }
}
