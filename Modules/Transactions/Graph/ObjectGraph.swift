package import CofferSchema
package import CofferStorage
import Foundation

/// The live objects of one context: finds the object of a row, loads what objects lead to, records what changes.
///
/// A data stack has one for its view, each transaction one of its own. Used by one thread at a time; who may use it is
/// checked in debug builds by ``isAccessAllowed``.
public final class ObjectGraph {
    package let binding: SchemaBinding
    package let context: ObjectContext
    package weak var source: AnyObject?
    /// Where the graph reads and commits: the stores, or the graph of a parent transaction.
    let backing: any GraphBacking
    package let evaluator: ReferenceEvaluator
    package let isEditable: Bool
    /// Whether one snapshot of each store is kept from the first read until ``releaseReaders()``.
    let keepsReaders: Bool
    /// Whether rows are read that may change and keep their version: those of a parent transaction.
    package let readsPendingRows: Bool
    /// Whether the current thread may use the graph's objects.
    package var isAccessAllowed: @Sendable () -> Bool = { true }
    /// Whether the transaction is over, so that nothing may be changed any more.
    @exclusivity(unchecked) var isFinished = false

    @exclusivity(unchecked) var pending = PendingChanges()
    /// Finds new and changed objects by key; empty until a fetch needs it, and again when rows were replaced.
    @exclusivity(unchecked) var pendingIndex = PendingIndex()
    /// Why the pending changes must not be saved, when they must not.
    @exclusivity(unchecked) var kept: KeptFailure?
    /// Whether a commit failed after some of the stores had saved their parts.
    var hasSavedParts = false
    /// Whether what others saved was merged into the order of a relationship that is being saved.
    var hasMergedOrders = false
    /// Whether the next commit must apply delete rules even if no other commit is newer than the last refresh.
    var mustReconcile = false
    /// Called when a commit has applied delete rules to what others saved, before it is made.
    var onReconcile: (() -> Void)?
    /// The relationships from which a commit removed links to objects that others had deleted, while there are observers.
    var droppedLinks = TouchedRelations()
    /// The objects deleted by cascades of which a commit has said that others have moved them.
    var reportedCascades: Set<ObjectID> = []
    /// Whether nothing is saved when someone else has changed one of the objects.
    var throwsOnConflict = false
    /// What happens to new objects whose unique values others have; nil for what each constraint says.
    var uniqueConstraintPolicy: UniqueConstraintPolicy?
    /// The graphs of transactions that read from this one.
    var children: [WeakGraph] = []
    /// What was read, where that must still be so when the changes are saved.
    var readLog: ReadLog?
    /// What ends the graph's reads, where someone may want that.
    var cancellation: Cancellation?
    /// How many commits each store had seen when the graph first read from it.
    var seenCommits: [ObjectIdentifier: Int] = [:]
    /// The states to go back to, when the transaction supports undo.
    @exclusivity(unchecked) var undo: UndoHistory?

    /// What the view of a data stack reads from and when it moves; nil for a transaction.
    var turns: ViewTurns?
    /// How many reads of a snapshot of the turns are under way.
    @exclusivity(unchecked) var snapshotReads = 0

    /// Whether someone is told when a property of one of the objects is set.
    @exclusivity(unchecked) var hasWatchers = false

    /// Whether some object may know what a to-many relationship leads to.
    @exclusivity(unchecked) var hasLoadedOwners = false
    /// Whether rows were read since by which some of these lead elsewhere.
    @exclusivity(unchecked) var hasStaleRelations = false
    /// How many commits each store had seen when that was looked after.
    var relatedCommits: [ObjectIdentifier: Int] = [:]

    @exclusivity(unchecked) var batches = FetchBatches()
    @exclusivity(unchecked) private var tables: [UInt32: (table: IdentityTable, store: OpenStore)] = [:]
    @exclusivity(unchecked) private var lastSpace: UInt32 = .max
    @exclusivity(unchecked) private var lastTable: IdentityTable?
    private var readers: [ObjectIdentifier: any StorageReader] = [:]
    @exclusivity(unchecked) private var knownStores: [OpenStore] = []
    @exclusivity(unchecked) private var tailSizes: [Int]

    package var layout: ModelLayout { binding.layout }

    init(binding: SchemaBinding, backing: any GraphBacking, isEditable: Bool, keepsReaders: Bool) {
        self.binding = binding
        self.backing = backing
        self.isEditable = isEditable
        self.keepsReaders = keepsReaders
        readsPendingRows = backing is ParentBacking
        tailSizes = Array(repeating: 0, count: binding.layout.entities.count)
        evaluator = ReferenceEvaluator(layout: binding.layout)
        context = ObjectContext(binding, isEditable: isEditable)
        context.driver = self
    }

    deinit {
        context.detach()
        releaseReaders()
    }

    // MARK: Stores and readers

    /// The stores as they are now; for a transaction, as they were when it first asked.
    package var stores: [OpenStore] {
        if !keepsReaders || knownStores.isEmpty { knownStores = backing.stores }
        return knownStores
    }

    /// The store and table of a key space.
    func space(_ number: UInt32) -> (table: IdentityTable, store: OpenStore)? {
        if let known = tables[number] { return known }
        for store in stores where store.keySpaces.contains(number) {
            let made = (IdentityTable(), store)
            tables[number] = made
            return made
        }
        return nil
    }

    @inline(__always)
    func table(_ number: UInt32) -> IdentityTable? {
        if number == lastSpace { return lastTable }
        guard let found = space(number)?.table else { return nil }
        lastSpace = number
        lastTable = found
        return found
    }

    /// The store an object is, or will be, in.
    func store(of object: CoreStoreObject) -> OpenStore? { space(object.id.storage)?.store }

    /// Reads from a store, in the graph's snapshot when it keeps one.
    package func read<Result>(
        _ store: OpenStore, _ operation: String,
        _ body: (any StorageReader) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try store.named(operation) { () throws(StorageError) in
            if let turns { return try read(store, in: turns, body) }
            if let reader = readers[ObjectIdentifier(store)] { return try run(body, reader) }
            if isEditable, seenCommits[ObjectIdentifier(store)] == nil {
                seenCommits[ObjectIdentifier(store)] = store.commitCount
            }
            let reader = try makeReader(store)
            // Who asks after the end gets an answer, but keeps no snapshot for which a store must keep its past.
            if keepsReaders, !isFinished {
                readers[ObjectIdentifier(store)] = reader
                return try run(body, reader)
            }
            defer { reader.finish() }
            return try run(body, reader)
        }
    }

    @inline(__always)
    private func run<Result>(
        _ body: (any StorageReader) throws(StorageError) -> Result, _ reader: any StorageReader
    ) throws(StorageError) -> Result {
        guard let cancellation else { return try body(reader) }
        return try cancellation.during(reader) { () throws(StorageError) in try body(reader) }
    }

    /// Ends the graph's snapshots; the next read takes new ones.
    func releaseReaders() {
        for reader in readers.values { reader.finish() }
        readers = [:]
    }

    // MARK: Objects

    /// Gives an object the values that another commit has given its row.
    func refresh(_ object: CoreStoreObject, _ row: Row) {
        if object.isDeleted, mayReturn(object) { object.state.remove(.isDeleted) }
        guard object.state.isDisjoint(with: [.isUpdated, .isInserted, .isDeleted]) else { return }
        let isSameVersion = object.row.version == row.version
        if !isSameVersion { noteRelations(object.row, row) }
        object.row = row
        if isSameVersion { return }
        forgetVirtualValues(of: object)
        if pending.isEmpty { object.attachment?.relatedKeys = [:] }
    }

    /// The object with an id, known or read; nil when there is no such row, or it was deleted here.
    package func object(_ id: ObjectID) throws(StorageError) -> CoreStoreObject? {
        guard let (table, store) = space(id.storage) else {
            try checkStores(of: id)
            return nil
        }
        if let known = table.object(id.key) {
            guard known.isDeleted else { return known }
            guard mayReturn(known) else { return nil }
        }
        guard let root = store.root(of: id) else { return nil }
        var row = try read(store, "fetch") { reader throws(StorageError) in try reader.row(root: root, key: id.key) }
        if row == nil {
            let survivor = store.survivor(of: id)
            if survivor != id { return try object(survivor) }
        }
        guard let row = row.take() else { return nil }
        let maker = ObjectMaker(self, table, storage: id.storage, entity: row.entity, batch: 0)
        return maker.object(row)
    }

    /// The objects with some ids, in their order; those that do not exist are left out.
    package func objects(_ ids: [ObjectID]) throws(StorageError) -> [CoreStoreObject] {
        let ids = survivors(of: ids)
        var missing: [UInt32: [Int64]] = [:]
        for id in ids {
            let known = table(id.storage)?.object(id.key)
            if known.map(mayReturn) ?? true { missing[id.storage, default: []].append(id.key) }
        }
        var loaded: [CoreStoreObject] = []
        for (number, keys) in missing {
            guard let store = space(number)?.store, let root = store.root(of: ObjectID(storage: number, key: 0)) else {
                for key in keys { try checkStores(of: ObjectID(storage: number, key: key)) }
                continue
            }
            let rows = try read(store, "fetch") { reader throws(StorageError) in
                try reader.rows(root: root, keys: keys)
            }
            loaded += objects(rows, root, store)
        }
        return try withExtendedLifetime(loaded) { () throws(StorageError) in
            var result: [CoreStoreObject] = []
            result.reserveCapacity(ids.count)
            for id in ids {
                guard let (table, store) = space(id.storage) else { continue }
                if let known = table.object(id.key) {
                    if !known.isDeleted { result.append(known) }
                } else if case let survivor = store.survivor(of: id), survivor != id, let object = try object(survivor)
                {
                    result.append(object)
                }
            }
            return result
        }
    }

    /// An id of no store is one of nothing, except to a transaction whose stores were taken away.
    private func checkStores(of id: ObjectID) throws(StorageError) {
        guard isEditable || keepsReaders, backing.hasRemovedStores else { return }
        throw StorageError(.closed, "The store of \(id) was removed from the data stack.")
    }

    /// The ids, with those of the objects that took over in place of the ids of merged ones.
    private func survivors(of ids: [ObjectID]) -> [ObjectID] {
        guard stores.contains(where: { $0.hasMerges }) else { return ids }
        return ids.map { id in
            guard let (table, store) = space(id.storage), table.object(id.key) == nil else { return id }
            return store.survivor(of: id)
        }
    }

    /// Whether an object is of an entity or one of its sub-entities.
    func object(_ object: CoreStoreObject, isKindOf entity: Int) -> Bool {
        layout.entity(object.row.entity, isKindOf: entity)
    }

    /// Every known object that has looked at a to-many relationship.
    func forEachLoadedOwner(_ body: (CoreStoreObject, ObjectAttachment) -> Void) {
        for (table, _) in tables.values {
            table.forEach { object in
                if let attachment = object.attachment, !attachment.relatedKeys.isEmpty { body(object, attachment) }
            }
        }
    }

    /// Lets go of the objects that nobody else holds.
    func sweep() {
        for (table, _) in tables.values { table.sweep() }
    }

    /// Whether there are objects.
    var hasObjects: Bool { tables.values.contains { $0.table.count > 0 } }

    /// Every known object.
    func forEachObject(_ body: (CoreStoreObject) -> Void) {
        for (table, _) in tables.values { table.forEach(body) }
    }

    /// Lets go of the objects of stores that are gone.
    func forgetSpaces(of stores: [OpenStore]) {
        for (number, entry) in tables where stores.contains(where: { $0 === entry.store }) {
            entry.table.removeAll()
            tables[number] = nil
        }
        knownStores.removeAll { known in stores.contains { $0 === known } }
        lastSpace = .max
        lastTable = nil
    }

    /// Cuts the graph off: its objects keep their values and lead nowhere.
    func close() {
        releaseReaders()
        context.detach()
        pending = PendingChanges()
        pendingIndex = PendingIndex()
        for (table, _) in tables.values { table.removeAll() }
        tables = [:]
        lastSpace = .max
        lastTable = nil
    }

    // MARK: New rows

    /// How many bytes of text a new row of an entity should have room for, going by the last ones.
    func tailCapacity(_ entity: EntityBinding) -> Int {
        guard entity.layout.hasTail else { return 0 }
        if let last = pending.inserted.last { last.held.lent(learnTailCapacity) }
        return max(tailSizes[entity.layout.index], entity.template.tailSize + 48)
    }

    /// Remembers the largest of the last rows: one that is too small is copied while it is being filled.
    private func learnTailCapacity(_ row: Row) {
        let known = tailSizes[row.entity]
        tailSizes[row.entity] = max(row.tailSize, known - (known - row.tailSize) / 16)
    }
}

/// Where a graph reads its rows.
protocol GraphBacking: AnyObject {
    /// The stores as they are now.
    var stores: [OpenStore] { get }

    /// Whether there were stores, and all were removed.
    var hasRemovedStores: Bool { get }

    /// A reader of one of them.
    ///
    /// - Parameter isCurrent: whether it must show all that was committed, where copies of the store may show less.
    func makeReader(_ store: OpenStore, isCurrent: Bool) throws(StorageError) -> any StorageReader
}
