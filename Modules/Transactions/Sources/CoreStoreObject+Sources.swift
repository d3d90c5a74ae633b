public import CofferSchema

extension CoreStoreObject {
    /// The data stack or transaction the object lives in; nil when it is gone.
    public func fetchSource() -> (any FetchableSource)? { context.driver.source as? any FetchableSource }

    /// The data stack or transaction the object lives in; nil when it is gone.
    public func querySource() -> (any QueryableSource)? { context.driver.source as? any QueryableSource }

    /// Drops the object's pending changes and reads its values again.
    public func refreshAsFault() { context.driver.refresh(self, mergingChanges: false) }

    /// Reads the object's values again, keeping its pending changes.
    public func refreshAndMerge() { context.driver.refresh(self, mergingChanges: true) }
}
