import CofferSchema
import CofferStorage

/// The members of an ordered many-to-many relationship whose order is pending, which no other pending change records.
struct PendingOrder {
    let side: PendingChanges.Side
    let owner: CoreStoreObject
    /// All members, when they were loaded.
    var order: PendingChanges.Order?
    /// The members that are added to the stored ones and removed from them, when the stored ones were not loaded.
    var delta: PendingChanges.Delta?
}
