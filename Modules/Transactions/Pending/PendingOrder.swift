import CofferSchema
import CofferStorage

/// The pending order of an ordered many-to-many relationship of one object.
struct PendingOrder {
    let side: PendingChanges.Side
    let owner: CoreStoreObject
    /// All members, when they were loaded.
    var order: PendingChanges.Order?
    /// The members that are added to the stored ones and removed from them, when the stored ones were not loaded.
    var delta: PendingChanges.Delta?
}
