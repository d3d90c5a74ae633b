import CofferEvaluation
import CofferSchema
import CofferStorage

/// The pending objects of a column in the order of its values, then of their keys.
///
/// An entry of a former value stays until a walk finds it.
final class PendingList {
    private struct Entry {
        let word: SortWord
        let key: Int64
        let object: CoreStoreObject

        func isBefore(_ word: SortWord, _ key: Int64) -> Bool {
            self.word != word ? self.word < word : self.key < key
        }
    }

    private struct Place: Equatable {
        var chunk: Int
        var index: Int
    }

    let column: PendingColumn
    /// The entries, in parts that are short enough to insert into; none of them is empty.
    private var chunks: [[Entry]] = []
    private static let chunkSize = 256

    init(_ column: PendingColumn) { self.column = column }

    /// Fills an empty list.
    func fill(_ objects: some Sequence<CoreStoreObject>, _ layout: ModelLayout) {
        var entries: [Entry] = []
        for object in objects { if let entry = entry(of: object, layout) { entries.append(entry) } }
        // The places are sorted without the objects, because each move would retain and release an object.
        var places = entries.indices.map { (word: entries[$0].word, key: entries[$0].key, place: $0) }
        places.sort { $0.word != $1.word ? $0.word < $1.word : $0.key < $1.key }
        chunks = stride(from: 0, to: places.count, by: Self.chunkSize).map { start in
            places[start..<min(start + Self.chunkSize, places.count)].map { entries[$0.place] }
        }
    }

    private func entry(of object: CoreStoreObject, _ layout: ModelLayout) -> Entry? {
        guard column.isPart(of: object, layout) else { return nil }
        object.state.insert(.isIndexed)
        return Entry(word: column.word(of: object), key: object.id.key, object: object)
    }

    /// Enters an object, unless it has an entry with its current value.
    func enter(_ object: CoreStoreObject, _ layout: ModelLayout) {
        guard let entry = entry(of: object, layout) else { return }
        guard !chunks.isEmpty else { return chunks = [[entry]] }
        var place = place(entry.word, entry.key)
        if let found = self[place], found.word == entry.word, found.key == entry.key {
            chunks[place.chunk][place.index] = entry
            return
        }
        // An entry between two chunks goes to the end of the first one.
        if place.index == 0, place.chunk > 0 {
            place = Place(chunk: place.chunk - 1, index: chunks[place.chunk - 1].count)
        }
        chunks[place.chunk].insert(entry, at: place.index)
        let count = chunks[place.chunk].count
        guard count > Self.chunkSize * 2 else { return }
        let isLast = place.chunk == chunks.count - 1 && place.index == count - 1
        // If the values ascend, the chunks are filled completely.
        let split = isLast ? count - 1 : count / 2
        chunks.insert(Array(chunks[place.chunk][split...]), at: place.chunk + 1)
        chunks[place.chunk].removeLast(count - split)
    }

    private subscript(_ place: Place) -> Entry? {
        place.chunk < chunks.count ? chunks[place.chunk][place.index] : nil
    }

    /// The place of the first entry that is not before a word and key.
    private func place(_ word: SortWord, _ key: Int64) -> Place {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            let last = chunks[middle].count - 1
            if chunks[middle][last].isBefore(word, key) { low = middle + 1 } else { high = middle }
        }
        guard low < chunks.count else { return Place(chunk: low, index: 0) }
        let chunk = low
        (low, high) = (0, chunks[chunk].count)
        while low < high {
            let middle = (low + high) / 2
            if chunks[chunk][middle].isBefore(word, key) { low = middle + 1 } else { high = middle }
        }
        return Place(chunk: chunk, index: low)
    }

    private func next(_ place: Place) -> Place {
        place.index + 1 < chunks[place.chunk].count
            ? Place(chunk: place.chunk, index: place.index + 1) : Place(chunk: place.chunk + 1, index: 0)
    }

    /// How many entries are in a range, counted up to about a limit.
    func count(_ range: WordRange, upTo limit: Int) -> Int {
        guard !range.isEmpty else { return 0 }
        var place = place(range.lower, .min)
        var count = 0
        while count < limit, place.chunk < chunks.count {
            let chunk = chunks[place.chunk]
            guard let last = chunk.last, range.upper < last.word else {
                count += chunk.count - place.index
                place = Place(chunk: place.chunk + 1, index: 0)
                continue
            }
            while place.index < chunk.count, !(range.upper < chunk[place.index].word) {
                count += 1
                place.index += 1
            }
            break
        }
        return count
    }

    /// Returns the first or the last word of a range that has an entry.
    func word(in range: WordRange, isFirst: Bool) -> SortWord? {
        guard !range.isEmpty else { return nil }
        if isFirst {
            guard let found = self[place(range.lower, .min)], !(range.upper < found.word) else { return nil }
            return found.word
        }
        var place = place(range.upper, .max)
        // An entry with the greatest possible key is at this place, and not before it.
        if let found = self[place], found.word == range.upper { return found.word }
        if place.index == 0 {
            guard place.chunk > 0 else { return nil }
            place = Place(chunk: place.chunk - 1, index: chunks[place.chunk - 1].count - 1)
        } else {
            place.index -= 1
        }
        guard let found = self[place], !(found.word < range.lower) else { return nil }
        return found.word
    }

    /// Calls a closure with each pending object of a range, in the order of the list, until the closure returns false.
    func forEachObject(_ range: WordRange, _ body: (CoreStoreObject) -> Bool) {
        guard !range.isEmpty else { return }
        var place = place(range.lower, .min)
        var stale: [Entry] = []
        while let entry = self[place], !(range.upper < entry.word) {
            if isCurrent(entry) {
                guard body(entry.object) else { break }
            } else {
                stale.append(entry)
            }
            place = next(place)
        }
        for entry in stale { remove(entry) }
    }

    private func isCurrent(_ entry: Entry) -> Bool {
        let state = entry.object.state
        return !state.contains(.isDeleted) && !state.isDisjoint(with: [.isInserted, .isUpdated])
            && column.word(of: entry.object) == entry.word
    }

    private func remove(_ entry: Entry) {
        let place = place(entry.word, entry.key)
        guard let found = self[place], found.word == entry.word, found.key == entry.key else { return }
        chunks[place.chunk].remove(at: place.index)
        if chunks[place.chunk].isEmpty { chunks.remove(at: place.chunk) }
    }
}
