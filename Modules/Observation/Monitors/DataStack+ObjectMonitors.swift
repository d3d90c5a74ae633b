public import CofferSchema
public import CofferTransactions

/// Creates object monitors of a data stack or an unsafe transaction: `monitorObject`.
extension DataStack {
    /// Returns a monitor of an object of any source.
    ///
    /// ```swift
    /// let monitor = stack.monitorObject(person)
    /// monitor.addObserver(self)
    /// ```
    ///
    /// Call this method on the view queue, and keep the monitor for as long as it is observed. If the object was
    /// deleted, `object` of the monitor is nil. If the object was not yet saved, `object` is nil until the object is
    /// saved. If the store cannot be read, `object` is nil, and the error is logged.
    public func monitorObject<O: DynamicObject>(_ object: O) -> ObjectMonitor<O> {
        ObjectMonitor(object, ObservedSource(self))
    }
}

extension UnsafeDataTransaction {
    /// Returns a monitor of an object in the transaction.
    ///
    /// ```swift
    /// let monitor = draft.monitorObject(person)
    /// monitor.addObserver(self)
    /// ```
    ///
    /// Observers are notified after a flush, an undo, a redo, a rollback, a commit, and `refreshAndMergeAllObjects()`.
    /// If the object cannot be read, `object` is nil, and the error is logged.
    public func monitorObject<O: DynamicObject>(_ object: O) -> ObjectMonitor<O> {
        ObjectMonitor(object, ObservedSource(self))
    }
}
