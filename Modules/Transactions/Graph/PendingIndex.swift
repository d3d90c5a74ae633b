import CofferSchema
package import CofferStorage
import Foundation

/// New and changed objects by the values of single columns, for fetches by a key: `id == 7`, `id IN {7, 8}`.
///
/// Without it, each fetch in a transaction tries all pending objects, and a loop that finds or creates objects takes time in
/// the square of their number.
///
/// A column is indexed when it is looked up first. The state ``ObjectState/isIndexed`` of an object sends its next write
/// through the graph, which calls ``noteChange(of:)``. The next look-up enters the object again. The entry of a former value
/// stays for some time: a caller tries the condition on each object that it gets. A caller that replaces whole rows discards
/// the index.
struct PendingIndex {
    /// A column of the rows of an entity and its sub-entities in one key space.
    struct Column: Hashable {
        let storage: UInt32
        let entity: Int
        let slot: Int
        let kind: ColumnKind
    }

    /// The objects of a column by the hashes of its values, so that no value is copied out of a row.
    private struct Entries {
        private struct Entry {
            let object: CoreStoreObject
            /// The place of the former entry with the same hash; -1 for none.
            let next: Int
        }

        private var entries: [Entry] = []
        /// The places of the last entries by their hashes.
        private var heads: [Int: Int] = [:]
        /// How many entries may be of former values.
        private(set) var staleCount = 0

        var count: Int { entries.count }

        /// - Parameters:
        ///   - isKnown: whether the object may have an entry.
        ///   - layout: says which rows have the column: in other rows, the slot has other values.
        mutating func enter(_ object: CoreStoreObject, isKnown: Bool, _ column: Column, _ layout: ModelLayout) {
            let row = object.row
            guard layout.entity(row.entity, isKindOf: column.entity), row.holds(column.slot) else { return }
            let hash = row.valueHash(column.slot, column.kind)
            if isKnown {
                guard !contains(object, hash) else { return }
                staleCount += 1
            }
            entries.append(Entry(object: object, next: heads.updateValue(entries.count, forKey: hash) ?? -1))
        }

        private func contains(_ object: CoreStoreObject, _ hash: Int) -> Bool {
            var place = heads[hash] ?? -1
            while place >= 0 {
                if entries[place].object === object { return true }
                place = entries[place].next
            }
            return false
        }

        /// Adds the objects that may have a value, in the order in which they were entered.
        func add(_ value: Value, to objects: inout [CoreStoreObject]) {
            guard var place = heads[value.rowHash] else { return }
            let first = objects.count
            while place >= 0 {
                objects.append(entries[place].object)
                place = entries[place].next
            }
            objects[first...].reverse()
        }
    }

    private var columns: [Column: Entries] = [:]
    /// The objects that were changed after they were entered.
    private var changed: [CoreStoreObject] = []
    private var insertedCount = 0
    private var updatedCount = 0

    /// Takes note that an object is being written.
    mutating func noteChange(of object: CoreStoreObject) {
        object.state.remove(.isIndexed)
        if !columns.isEmpty { changed.append(object) }
    }

    /// The objects whose column may have one of some values, each once.
    ///
    /// They may be deleted.
    ///
    /// - Parameters:
    ///   - inserted: all new objects, in the order in which they became pending.
    ///   - updated: all changed objects, in that order too.
    mutating func objects(
        _ column: Column, _ values: [Value], inserted: [CoreStoreObject], updated: [CoreStoreObject],
        _ layout: ModelLayout
    ) -> [CoreStoreObject] {
        update(inserted, updated, layout)
        if columns[column] == nil { add(column, inserted, updated, layout) }
        guard let entries = columns[column] else { return [] }
        var objects: [CoreStoreObject] = []
        for value in values { entries.add(value, to: &objects) }
        return Self.distinct(objects)
    }

    private static func distinct(_ objects: [CoreStoreObject]) -> [CoreStoreObject] {
        guard objects.count > 1 else { return objects }
        var seen: Set<ObjectIdentifier> = []
        return objects.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    private mutating func add(
        _ column: Column, _ inserted: [CoreStoreObject], _ updated: [CoreStoreObject], _ layout: ModelLayout
    ) {
        columns[column] = Entries()
        for object in inserted { enter(object, isKnown: false, column, layout) }
        for object in updated { enter(object, isKnown: false, column, layout) }
    }

    /// Enters the objects that became pending or were changed since the last look-up.
    private mutating func update(
        _ inserted: [CoreStoreObject], _ updated: [CoreStoreObject], _ layout: ModelLayout
    ) {
        if insertedCount > inserted.count || updatedCount > updated.count { self = PendingIndex() }
        defer { (insertedCount, updatedCount) = (inserted.count, updated.count) }
        guard !columns.isEmpty else { return }
        let changed = changed
        self.changed.removeAll()
        for column in Array(columns.keys) {
            for object in inserted[insertedCount...] { enter(object, isKnown: false, column, layout) }
            for object in updated[updatedCount...] { enter(object, isKnown: false, column, layout) }
            for object in changed { enter(object, isKnown: true, column, layout) }
            // A column with more former values than objects is indexed again when it is looked up.
            if let entries = columns[column], entries.staleCount > 64 + entries.count / 2 { columns[column] = nil }
        }
    }

    private mutating func enter(_ object: CoreStoreObject, isKnown: Bool, _ column: Column, _ layout: ModelLayout) {
        guard object.id.storage == column.storage else { return }
        columns[column]?.enter(object, isKnown: isKnown, column, layout)
        object.state.insert(.isIndexed)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var contentHash: Int {
        var hasher = Hasher()
        hasher.combine(bytes: self)
        return hasher.finalize()
    }
}

extension Row {
    /// A hash of the value in a slot that is not null: the one that an equal ``Value`` has as its `rowHash`.
    fileprivate func valueHash(_ slot: Int, _ kind: ColumnKind) -> Int {
        guard kind == .text || kind == .blob else { return value(slot, kind).hashValue }
        // Bytes that are no text are read as another text.
        let hash = withBytes(slot) { bytes in
            kind == .blob || bytes.allSatisfy { $0 < 0x80 } ? UnsafeRawBufferPointer(bytes).contentHash : nil
        }
        return hash ?? value(slot, kind).hashValue
    }
}

extension Value {
    /// A hash for which no text or blob need be copied out of a row.
    fileprivate var rowHash: Int {
        // That of a text is made of its bytes already.
        if case .blob(let blob) = self { blob.withUnsafeBytes(\.contentHash) } else { hashValue }
    }

    /// The equal value as a column of a kind keeps it; nil where that is not known.
    package func key(_ kind: ColumnKind) -> Value? {
        switch (kind, self) {
        case (.integer, .integer), (.double, .double), (.decimal, .decimal), (.boolean, .boolean), (.text, .text),
            (.blob, .blob), (.date, .date):
            self
        case (.integer, .double(let number)): Int64(exactly: number).map { .integer($0) }
        case (.double, .integer(let number)): Double(exactly: number).map { .double($0) }
        case (.decimal, .integer(let number)): .decimal(.init(number))
        default: nil
        }
    }
}
