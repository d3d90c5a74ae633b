public import CofferSchema
public import CofferTransactions

extension DataStack {
    /// A monitor of an object, whatever context that is of.
    public func monitorObject<O: DynamicObject>(_ object: O) -> ObjectMonitor<O> {
        ObjectMonitor(object, ObservedSource(self))
    }
}

extension UnsafeDataTransaction {
    /// A monitor of an object in the transaction, whose observers are told whenever that is flushed, committed or
    /// undone.
    public func monitorObject<O: DynamicObject>(_ object: O) -> ObjectMonitor<O> {
        ObjectMonitor(object, ObservedSource(self))
    }
}
