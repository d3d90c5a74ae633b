import CofferStorage
import Foundation

/// Sorts rows by an order; reads each sort key of a row only once, as a `SortWord`.
struct RowSorter {
    private struct Item {
        var word: SortWord
        var key: Int64
        var index: Int
    }

    let order: CompiledOrder
    let source: any RowSource

    /// Returns the first rows in the order, at most `limit`.
    func sorted(_ rows: [Row], limit: Int?) -> [Row] {
        guard let first = order.keys.first, rows.count > 1 else { return rows }
        let width = order.keys.count - 1
        var others: [SortWord] = []
        others.reserveCapacity(rows.count * width)
        var items: [Item] = []
        items.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            items.append(Item(word: first.word(row, source), key: row.key, index: index))
            for key in order.keys.dropFirst() { others.append(key.word(row, source)) }
        }
        let isPlain = width == 0
        let precedes: (Item, Item) -> Bool = { a, b in
            if a.word.high != b.word.high { return a.word.high < b.word.high }
            if a.word.low != b.word.low { return a.word.low < b.word.low }
            if isPlain && first.isExact(a.word) { return a.key < b.key }
            return precedesSlowly(a, b, rows, others)
        }
        if let limit, limit < rows.count / 4 {
            items = Self.smallest(items, limit, precedes)
        }
        items.sort(by: precedes)
        return items.prefix(limit ?? items.count).map { rows[$0.index] }
    }

    private func precedesSlowly(_ a: Item, _ b: Item, _ rows: [Row], _ others: [SortWord]) -> Bool {
        let width = order.keys.count - 1
        for (place, key) in order.keys.enumerated() {
            let left = place == 0 ? a.word : others[a.index * width + place - 1]
            let right = place == 0 ? b.word : others[b.index * width + place - 1]
            if left != right { return left < right }
            if key.isExact(left) { continue }
            let result = key.expression.compareValues(rows[a.index], rows[b.index], source)
            if result != .orderedSame { return (result == .orderedAscending) == key.ascending }
        }
        return a.key < b.key
    }

    /// Returns the `count` smallest items, unsorted, by a heap with the largest item at the top.
    private static func smallest(_ items: [Item], _ count: Int, _ precedes: (Item, Item) -> Bool) -> [Item] {
        guard count > 0 else { return [] }
        var heap = Array(items.prefix(count))
        func sink(_ start: Int) {
            var place = start
            let item = heap[place]
            while true {
                var child = place * 2 + 1
                guard child < count else { break }
                if child + 1 < count, precedes(heap[child], heap[child + 1]) { child += 1 }
                guard precedes(item, heap[child]) else { break }
                heap[place] = heap[child]
                place = child
            }
            heap[place] = item
        }
        for start in stride(from: count / 2 - 1, through: 0, by: -1) { sink(start) }
        for item in items.dropFirst(count) where precedes(item, heap[0]) {
            heap[0] = item
            sink(0)
        }
        return heap
    }
}
