import CofferSchema
import CofferStorage

/// Makes the objects of rows that a store hands over one by one, as one batch.
final class ObjectMaker {
    private let graph: ObjectGraph
    private let context: ObjectContext
    private let table: IdentityTable
    private let storage: UInt32
    private let batch: UInt32
    private let readsPendingRows: Bool
    /// Whether the rows may be newer than those of known objects.
    private let refreshes: Bool
    // Exclusivity is not checked at run time: no access to one of these calls out while it lasts.
    @exclusivity(unchecked) private var entity: EntityBinding
    @exclusivity(unchecked) private(set) var keys: [Int64] = []

    /// - Parameters:
    ///   - entity: the index of the entity that most of the rows are likely to be of.
    init(
        _ graph: ObjectGraph, _ table: IdentityTable, storage: UInt32, entity: Int, batch: UInt32,
        refreshes: Bool = true
    ) {
        self.refreshes = refreshes
        self.graph = graph
        self.table = table
        self.storage = storage
        self.batch = batch
        self.entity = graph.binding.entities[entity]
        context = graph.context
        readsPendingRows = graph.readsPendingRows
        table.sweepIfDue()
    }

    /// The object of a row: the known one, or a new one.
    @inline(__always)
    func object(_ row: consuming Row) -> CoreStoreObject { unretainedObject(row).takeUnretainedValue() }

    /// The same, for callers to whom it is enough that the table holds it.
    @inline(__always)
    @discardableResult
    func unretainedObject(_ row: consuming Row) -> Unmanaged<CoreStoreObject> {
        let row = RowReference(retaining: row)
        let key = row.key
        if let known = table.object(key) { return update(known, row) }
        keys.append(key)
        if row.entity != entity.layout.index { entity = graph.binding.entities[row.entity] }
        let object = entity.makeObject(row, ObjectID(storage: storage, key: key), in: context, batch: batch)
        return table.insert(object, key)
    }

    private func update(_ known: CoreStoreObject, _ row: RowReference) -> Unmanaged<CoreStoreObject> {
        if refreshes, known.held.version != row.version || readsPendingRows { graph.refresh(known, row.row) }
        row.release()
        // A row may come again, for another owner.
        if known.batch != batch { keys.append(known.id.key) }
        known.batch = batch
        return .passUnretained(known)
    }
}

extension ObjectGraph {
    /// Makes objects of the rows that the body hands over.
    ///
    /// - Parameters:
    ///   - entity: the entity that was asked for.
    ///   - refreshes: whether the rows may be newer than those of known objects.
    func makeObjects<Failure>(
        _ entity: Int, _ store: OpenStore, refreshes: Bool = true, _ body: (ObjectMaker) throws(Failure) -> Void
    ) throws(Failure) {
        let storage = store.keySpaces[entity]
        guard let table = table(storage) else { return }
        let number = batches.nextNumber()
        let maker = ObjectMaker(
            self, table, storage: storage, entity: entity, batch: number, refreshes: refreshes)
        try body(maker)
        batches.add(maker.keys, number) { use in forEachObject { use($0.batch) } }
    }

    /// The objects of rows that were read from a store, as one batch.
    ///
    /// - Parameter entity: the entity that was asked for.
    func objects(
        _ rows: [Row], _ entity: Int, _ store: OpenStore, refreshes: Bool = true
    ) -> [CoreStoreObject] {
        var objects: [CoreStoreObject] = []
        objects.reserveCapacity(rows.count)
        makeObjects(entity, store, refreshes: refreshes) { maker in
            for row in rows { objects.append(maker.object(row)) }
        }
        return objects
    }
}

/// Makes the objects that a to-many relationship leads to, and tells their owners.
final class MemberMaker {
    private let objects: ObjectMaker
    private let attach: (_ members: [Int64], _ owner: Int64) -> Void
    @exclusivity(unchecked) private var owner: Int64 = 0
    @exclusivity(unchecked) private var members: [Int64] = []

    init(_ objects: ObjectMaker, _ attach: @escaping (_ members: [Int64], _ owner: Int64) -> Void) {
        self.objects = objects
        self.attach = attach
    }

    @inline(__always)
    func add(_ row: consuming Row, of rowOwner: Int64) {
        if rowOwner != owner || members.isEmpty { begin(rowOwner) }
        members.append(row.key)
        objects.unretainedObject(row)
    }

    private func begin(_ next: Int64) {
        finish()
        owner = next
    }

    /// Tells the last owner.
    func finish() {
        if !members.isEmpty { attach(members, owner) }
        members.removeAll(keepingCapacity: true)
    }
}
