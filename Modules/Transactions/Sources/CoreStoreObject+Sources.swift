public import CofferSchema

/// Finds the source of an object, and refreshes the object: `fetchSource`, `refreshAsFault`, `refreshAndMerge`.
extension CoreStoreObject {
    /// Returns the data stack, transaction or read that the object belongs to; nil if it no longer exists.
    public func fetchSource() -> (any FetchableSource)? { context.driver.source as? any FetchableSource }

    /// Returns the data stack, transaction or read that the object belongs to; nil if it no longer exists.
    public func querySource() -> (any QueryableSource)? { context.driver.source as? any QueryableSource }

    /// Discards the pending changes of the object, and reads its values from the store.
    ///
    /// ```swift
    /// person.refreshAsFault()
    /// ```
    ///
    /// If the object was deleted, `isDeleted` becomes true, and the last values stay readable. If the store cannot be
    /// read, the object does not change, the error is logged, and the commit of the transaction throws the error.
    public func refreshAsFault() { context.driver.refresh(self, mergingChanges: false) }

    /// Reads the values of the object from the store, and keeps its pending changes.
    ///
    /// ```swift
    /// person.refreshAndMerge()
    /// ```
    ///
    /// If the object was deleted, `isDeleted` becomes true, and its pending changes cannot be saved. If the store
    /// cannot be read, the object does not change, the error is logged, and the commit of the transaction throws the
    /// error.
    public func refreshAndMerge() { context.driver.refresh(self, mergingChanges: true) }
}
