public import CofferSchema
public import CofferTransactions

/// A source of monitored lists and objects: a data stack or an unsafe transaction.
///
/// ```swift
/// func people(in source: some MonitorableSource) -> ListMonitor<Person> {
///     source.monitorList(From<Person>().orderBy(.ascending(\.$name)))
/// }
/// ```
public protocol MonitorableSource: FetchableSource {}

extension DataStack: MonitorableSource {}

extension UnsafeDataTransaction: MonitorableSource {}

extension MonitorableSource {
    /// Returns a monitor of an object of any source.
    ///
    /// ```swift
    /// let monitor = stack.monitorObject(person)
    /// monitor.addObserver(self)
    /// ```
    ///
    /// Call this method of a data stack on the view queue, and keep the monitor for as long as it is observed. If the
    /// object was deleted, `object` of the monitor is nil. If the object was not yet saved, `object` is nil until the
    /// object is saved. If the store cannot be read, `object` is nil, and the error is logged.
    ///
    /// The monitor of an unsafe transaction observes the object in the transaction. Observers are notified after a
    /// flush, an undo, a redo, a rollback, a commit, and `refreshAndMergeAllObjects()`. If the object cannot be read,
    /// `object` is nil, and the error is logged.
    public func monitorObject<O: DynamicObject>(_ object: O) -> ObjectMonitor<O> {
        ObjectMonitor(object, ObservedSource(self))
    }
}
