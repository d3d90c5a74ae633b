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

    private struct Entries {
        var objects: [Value: [CoreStoreObject]] = [:]
        /// The value by which each object was entered last.
        var values: [ObjectIdentifier: Value] = [:]
        /// How many entries are of former values.
        var staleCount = 0

        /// - Parameter layout: says which rows have the column: in other rows, the slot has other values.
        mutating func enter(_ object: CoreStoreObject, _ column: Column, _ layout: ModelLayout) {
            let row = object.row
            guard layout.entity(row.entity, isKindOf: column.entity), row.holds(column.slot) else { return }
            let value = row.value(column.slot, column.kind)
            let former = values.updateValue(value, forKey: ObjectIdentifier(object))
            guard former != value else { return }
            if former != nil { staleCount += 1 }
            objects[value, default: []].append(object)
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
        if values.count == 1 { return Self.distinct(entries.objects[values[0]] ?? []) }
        return Self.distinct(values.flatMap { entries.objects[$0] ?? [] })
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
        for object in inserted { enter(object, column, layout) }
        for object in updated { enter(object, column, layout) }
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
            for object in inserted[insertedCount...] { enter(object, column, layout) }
            for object in updated[updatedCount...] { enter(object, column, layout) }
            for object in changed { enter(object, column, layout) }
            // A column with more former values than objects is indexed again when it is looked up.
            if let entries = columns[column], entries.staleCount > 64 + entries.values.count { columns[column] = nil }
        }
    }

    private mutating func enter(_ object: CoreStoreObject, _ column: Column, _ layout: ModelLayout) {
        guard object.id.storage == column.storage else { return }
        columns[column]?.enter(object, column, layout)
        object.state.insert(.isIndexed)
    }
}

extension Value {
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
