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
    // Exclusivity is not checked at run time: no access to one of these properties calls other code while it lasts.
    /// The entity of the last row, without reference counting for each row; ``ContextState/binding`` retains it.
    @exclusivity(unchecked) private var entity: Unmanaged<EntityBinding>
    @exclusivity(unchecked) private var entityIndex: Int
    @exclusivity(unchecked) private(set) var keys: [Int64] = []

    /// - Parameters:
    ///   - entity: the index of the most likely entity of the rows.
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

    /// Returns the object of a row without a reference to it; the table retains the object.
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
        // A row may occur again, for another owner.
        if known.batch != batch { keys.append(known.id.key) }
        known.batch = batch
        return .passUnretained(known)
    }
}
