import CofferSchema
import CofferStorage
import Foundation

/// An index of pending objects by attribute values, for fetches by a key such as `id == 7` or `id IN {7, 8}`.
///
/// Without it, each fetch in a transaction tries all pending objects, and a loop that finds or creates objects takes time in
/// the square of their number.
///
/// A column is indexed when it is looked up first. The state ``ObjectState/isIndexed`` of an object sends its next write
/// through ``RowEditor``, which calls ``noteChange(of:)``. The next look-up enters the object again. The entry of a former value
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
        let column: Column
        private var objects: [CoreStoreObject] = []
        private var places = PlaceTable()
        /// How many entries may be of former values.
        private(set) var staleCount = 0

        init(_ column: Column) { self.column = column }

        var count: Int { objects.count }

        /// - Parameters:
        ///   - isKnown: whether the object may have an entry.
        ///   - layout: says which rows have the column: in other rows, the slot has other values.
        mutating func enter(_ object: CoreStoreObject, isKnown: Bool, _ layout: ModelLayout) {
            guard object.id.storage == column.storage else { return }
            object.state.insert(.isIndexed)
            let hash = object.held.lent { row -> Int? in
                guard row.entity == column.entity || layout.entity(row.entity, isKindOf: column.entity),
                    row.holds(column.slot)
                else { return nil }
                return row.valueHash(column.slot, column.kind)
            }
            guard let hash else { return }
            if isKnown {
                guard !contains(object, hash) else { return }
                staleCount += 1
            }
            objects.append(object)
            places.append(hash)
        }

        private func contains(_ object: CoreStoreObject, _ hash: Int) -> Bool {
            var place = places.last(hash)
            while place >= 0 {
                if objects[place] === object { return true }
                place = places.former(place)
            }
            return false
        }

        /// The last object that may have a value with a hash, and its place; nil for none.
        func last(_ hash: Int) -> (object: CoreStoreObject, place: Int)? { entry(places.last(hash)) }

        /// The object before another one with the same hash.
        func former(_ place: Int) -> (object: CoreStoreObject, place: Int)? { entry(places.former(place)) }

        private func entry(_ place: Int) -> (object: CoreStoreObject, place: Int)? {
            place >= 0 ? (objects[place], place) : nil
        }
    }

    /// The entries of each column that was looked up.
    private var columns: [Entries] = []
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
        let index = index(of: column, inserted, updated, layout)
        var objects: [CoreStoreObject] = []
        for value in values {
            let first = objects.count
            forEachObject(index, value) { objects.append($0) }
            objects[first...].reverse()
        }
        return Self.distinct(objects)
    }

    /// Calls a closure with the objects whose column may have a value, some perhaps more than once.
    ///
    /// The objects may be deleted. The parameters have the same meaning as in the method above.
    mutating func forEachObject(
        _ column: Column, _ value: Value, inserted: [CoreStoreObject], updated: [CoreStoreObject],
        _ layout: ModelLayout, _ body: (CoreStoreObject) -> Void
    ) {
        let index = index(of: column, inserted, updated, layout)
        forEachObject(index, value, body)
    }

    /// Calls a closure with the objects that may have a value, the last one first.
    private func forEachObject(_ index: Int, _ value: Value, _ body: (CoreStoreObject) -> Void) {
        // Not by a method of the entries, which would be given a copy of them.
        var entry = columns[index].last(value.rowHash)
        while let (object, place) = entry {
            body(object)
            entry = columns[index].former(place)
        }
    }

    private static func distinct(_ objects: [CoreStoreObject]) -> [CoreStoreObject] {
        guard objects.count > 1 else { return objects }
        var seen: Set<ObjectIdentifier> = []
        return objects.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Returns the place of a column after entering all pending objects.
    private mutating func index(
        of column: Column, _ inserted: [CoreStoreObject], _ updated: [CoreStoreObject], _ layout: ModelLayout
    ) -> Int {
        update(inserted, updated, layout)
        // Not by a closure, which would be given a copy of all entries.
        for index in columns.indices where columns[index].column == column { return index }
        var entries = Entries(column)
        for object in inserted { entries.enter(object, isKnown: false, layout) }
        for object in updated { entries.enter(object, isKnown: false, layout) }
        columns.append(entries)
        return columns.count - 1
    }

    /// Enters the objects that became pending or were changed since the last look-up.
    private mutating func update(
        _ inserted: [CoreStoreObject], _ updated: [CoreStoreObject], _ layout: ModelLayout
    ) {
        if insertedCount > inserted.count || updatedCount > updated.count { self = PendingIndex() }
        guard insertedCount < inserted.count || updatedCount < updated.count || !changed.isEmpty else { return }
        defer { (insertedCount, updatedCount) = (inserted.count, updated.count) }
        guard !columns.isEmpty else { return }
        for index in columns.indices {
            for place in insertedCount..<inserted.count {
                columns[index].enter(inserted[place], isKnown: false, layout)
            }
            for place in updatedCount..<updated.count {
                columns[index].enter(updated[place], isKnown: false, layout)
            }
            for object in changed { columns[index].enter(object, isKnown: true, layout) }
        }
        guard !changed.isEmpty else { return }
        changed.removeAll(keepingCapacity: true)
        // A column with more former values than objects is indexed again when it is looked up.
        columns.removeAll { $0.staleCount > 64 + $0.count / 2 }
    }
}
