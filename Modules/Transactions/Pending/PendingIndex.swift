import CofferSchema
import CofferStorage

/// An index of new and changed objects by the values of their columns, for the fetches of a transaction.
///
/// Without the index, each fetch in a transaction evaluates all pending objects. A loop that finds or creates objects
/// then takes time in the square of their number.
///
/// A column is indexed at its first look-up: by hash for equal values, and in a list for ranges and orders. The state
/// ``ObjectState/isIndexed`` of an object sends its next write through ``RowEditor``, which calls
/// ``noteChange(of:)``. The next look-up enters the object again. The entry of a former value stays for some time, so
/// a caller evaluates the condition on each object that it receives. A caller that replaces whole rows discards the
/// index.
struct PendingIndex {
    /// The hash of each column that was looked up by an equal value.
    private var hashes: [PendingHash] = []
    /// The list of each column that was looked up by a range or an order.
    private var lists: [PendingList] = []
    /// The objects that were changed after they were entered.
    private var changed: [CoreStoreObject] = []
    private var (insertedCursor, updatedCursor) = (PendingCursor(), PendingCursor())
    /// The entities with pending objects.
    var touched = TouchedEntities()
    /// The stored rows that requests begin with.
    var pages = StoredPages()

    /// Records that an object is being written.
    mutating func noteChange(of object: CoreStoreObject) {
        object.state.remove(.isIndexed)
        if !hashes.isEmpty || !lists.isEmpty { changed.append(object) }
    }

    // MARK: Equal values

    /// Returns the objects whose column may have one of some values, without duplicates.
    ///
    /// The objects may be deleted.
    ///
    /// - Parameters:
    ///   - inserted: all new objects, in the order in which they became pending.
    ///   - updated: all changed objects, in the order in which they became pending.
    mutating func objects(
        _ column: PendingColumn, _ values: [Value], inserted: [CoreStoreObject], updated: [CoreStoreObject],
        _ layout: ModelLayout
    ) -> [CoreStoreObject] {
        let index = index(of: column, inserted, updated, layout)
        var objects: [CoreStoreObject] = []
        for value in values {
            let first = objects.count
            forEachObject(index, value) { objects.append($0) }
            objects[first...].reverse()
        }
        return objects.count > 1 ? objects.unique { ObjectIdentifier($0) } : objects
    }

    /// Calls a closure with the objects whose column may have a value; an object may occur more than once.
    ///
    /// The objects may be deleted. The parameters have the same meaning as in the method above.
    mutating func forEachObject(
        _ column: PendingColumn, _ value: Value, inserted: [CoreStoreObject], updated: [CoreStoreObject],
        _ layout: ModelLayout, _ body: (CoreStoreObject) -> Void
    ) {
        let index = index(of: column, inserted, updated, layout)
        forEachObject(index, value, body)
    }

    /// Returns how many objects may have one of some values, counted up to a limit.
    ///
    /// The parameters have the same meaning as in the methods above.
    mutating func count(
        _ column: PendingColumn, _ values: [Value], upTo limit: Int, inserted: [CoreStoreObject],
        updated: [CoreStoreObject], _ layout: ModelLayout
    ) -> Int {
        let index = index(of: column, inserted, updated, layout)
        var count = 0
        for value in values where count < limit {
            count += hashes[index].count(value.rowHash, upTo: limit - count)
        }
        return count
    }

    /// Calls a closure with the objects that may have a value, the last one first.
    private func forEachObject(_ index: Int, _ value: Value, _ body: (CoreStoreObject) -> Void) {
        // A method of the entries would receive a copy of them, so this is a loop.
        var entry = hashes[index].last(value.rowHash)
        while let (object, place) = entry {
            body(object)
            entry = hashes[index].former(place)
        }
    }

    /// Returns the place of a column's hash after entering all pending objects.
    private mutating func index(
        of column: PendingColumn, _ inserted: [CoreStoreObject], _ updated: [CoreStoreObject], _ layout: ModelLayout
    ) -> Int {
        update(inserted, updated, layout)
        // A closure would receive a copy of all entries, so this is a loop.
        for index in hashes.indices where hashes[index].column == column { return index }
        var hash = PendingHash(column)
        for object in inserted { hash.enter(object, isKnown: false, layout) }
        for object in updated { hash.enter(object, isKnown: false, layout) }
        hashes.append(hash)
        return hashes.count - 1
    }

    // MARK: Ranges and orders

    /// Returns the pending objects in the order of a column.
    ///
    /// The parameters have the same meaning as in the methods above.
    mutating func list(
        _ column: PendingColumn, inserted: [CoreStoreObject], updated: [CoreStoreObject], _ layout: ModelLayout
    ) -> PendingList {
        update(inserted, updated, layout)
        if let known = lists.first(where: { $0.column == column }) { return known }
        let list = PendingList(column)
        list.fill([inserted, updated].joined(), layout)
        lists.append(list)
        return list
    }

    // MARK: Changes

    /// Enters the objects that became pending or were changed since the last look-up.
    private mutating func update(
        _ inserted: [CoreStoreObject], _ updated: [CoreStoreObject], _ layout: ModelLayout
    ) {
        if !insertedCursor.isValid(in: inserted) || !updatedCursor.isValid(in: updated) { self = PendingIndex() }
        let isGrown = insertedCursor.count < inserted.count || updatedCursor.count < updated.count
        guard isGrown || !changed.isEmpty else { return }
        defer {
            insertedCursor.move(toEndOf: inserted)
            updatedCursor.move(toEndOf: updated)
            changed.removeAll(keepingCapacity: true)
        }
        for index in hashes.indices {
            for place in insertedCursor.count..<inserted.count {
                hashes[index].enter(inserted[place], isKnown: false, layout)
            }
            for place in updatedCursor.count..<updated.count {
                hashes[index].enter(updated[place], isKnown: false, layout)
            }
            for object in changed { hashes[index].enter(object, isKnown: true, layout) }
        }
        for list in lists {
            for place in insertedCursor.count..<inserted.count { list.enter(inserted[place], layout) }
            for place in updatedCursor.count..<updated.count { list.enter(updated[place], layout) }
            for object in changed { list.enter(object, layout) }
        }
        // A column with more former values than objects is indexed again when it is looked up.
        if !changed.isEmpty { hashes.removeAll { $0.staleCount > 64 + $0.count / 2 } }
    }
}
