import CofferSchema
import CofferStorage

/// Receives the rows of a store one at a time, and creates their objects, which belong to one batch.
final class ObjectMaker {
    private let state: ContextState
    private let context: ObjectContext
    private let table: IdentityTable
    private let storage: UInt32
    private let batch: UInt32
    private let readsPendingRows: Bool
    /// Whether the rows may be newer than those of known objects.
    private let refreshes: Bool
    // Exclusivity is not checked at run time: no access to one of these calls out while it lasts.
    /// The entity of the last row, without a reference count for each row; ``ContextState/binding`` holds it.
    @exclusivity(unchecked) private var entity: Unmanaged<EntityBinding>
    @exclusivity(unchecked) private var entityIndex: Int
    @exclusivity(unchecked) private(set) var keys: [Int64] = []

    /// - Parameters:
    ///   - entity: the index of the entity that most of the rows are likely to be of.
    init(
        _ state: ContextState, _ table: IdentityTable, storage: UInt32, entity: Int, batch: UInt32,
        refreshes: Bool = true
    ) {
        self.refreshes = refreshes
        self.state = state
        self.table = table
        self.storage = storage
        self.batch = batch
        self.entity = .passUnretained(state.binding.entities[entity])
        entityIndex = entity
        context = state.objectContext
        readsPendingRows = state.readsPendingRows
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
        if row.entity != entityIndex {
            entityIndex = row.entity
            entity = .passUnretained(state.binding.entities[entityIndex])
        }
        let object = entity._withUnsafeGuaranteedRef {
            $0.makeObject(row, ObjectID(storage: storage, key: key), in: context, batch: batch)
        }
        return table.insert(object, key)
    }

    private func update(_ known: CoreStoreObject, _ row: RowReference) -> Unmanaged<CoreStoreObject> {
        if refreshes, known.held.version != row.version || readsPendingRows { state.merger.refresh(known, row.row) }
        row.release()
        // A row may come again, for another owner.
        if known.batch != batch { keys.append(known.id.key) }
        known.batch = batch
        return .passUnretained(known)
    }
}
