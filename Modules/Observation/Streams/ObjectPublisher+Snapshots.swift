public import CofferSchema
import CofferStorage
import CofferTransactions

/// Returns asynchronous sequences of the snapshots of an object, or of the values of a field.
extension ObjectPublisher {
    /// Returns the present snapshot of the object, and a new one after each commit that changes the object.
    ///
    /// ```swift
    /// for await snapshot in stack.publishObject(person).snapshots() {
    ///     print(snapshot?.$name ?? "(deleted)")
    /// }
    /// ```
    ///
    /// After the object is deleted, the sequence returns nil and ends. If the object was deleted before, the sequence
    /// does the same. If a loop was busy during several commits, it gets only the newest snapshot. If the object cannot
    /// be read, the error is logged, and the loop gets a snapshot after the next commit that changes the object.
    ///
    /// - Parameter emitInitialValue: false to begin with the first change.
    public func snapshots(emitInitialValue: Bool = true) -> ObservedSequence<ObjectSnapshot<O>?, Never> {
        observed(emitInitialValue) { publisher in publisher.snapshot }
    }

    /// The values of one property over time.
    ///
    /// - Parameter value: reads the value, on the view queue; nil if there is none now.
    func observed<Value: Sendable>(
        _ readsFirst: Bool, _ value: @escaping @Sendable (ObjectPublisher<O>) -> Value?
    ) -> ObservedSequence<Value?, Never> {
        // Only the view queue uses the publisher. Other threads only keep a reference to it, and remove observers.
        nonisolated(unsafe) let publisher = self
        return ObservedSequence {
            Subscription(publisher.cs_dataStack(), readsFirst: readsFirst) { subscription, _ in
                let observer = StreamObserver()
                publisher.addObserver(observer) { [weak subscription] _ in subscription?.change() }
                // No later commit concerns an object that is already deleted.
                if !readsFirst, publisher.object == nil, publisher.isGone { subscription.change() }
                return .init(
                    read: {
                        if let value = value(publisher) { return .value(value) }
                        return publisher.isGone ? .last(nil) : .nothing
                    },
                    stop: { publisher.removeObserver(observer) })
            }
        }
    }
}

extension ObjectPublisher {
    /// Whether the object was deleted or did not exist when it was read; false if the read failed.
    package var isKnownAsDeleted: Bool { isGone }
}

/// The values of one field over time.
extension ObjectPublisher where O: CoreStoreObject {
    /// Returns the present value of a stored field, and a new one after each commit that changes the object.
    ///
    /// ```swift
    /// for await name in stack.publishObject(person).values(\.$name) {
    ///     print(name ?? "(deleted)")
    /// }
    /// ```
    ///
    /// If a commit changes only other fields, the same value is returned again. After the object is deleted, the
    /// sequence returns nil and ends.
    ///
    /// - Parameter emitInitialValue: false to begin with the first change.
    public func values<OBase, V: Sendable>(
        _ field: KeyPath<O, FieldContainer<OBase>.Stored<V>>, emitInitialValue: Bool = true
    ) -> ObservedSequence<V?, Never> {
        values(KeyPathString(keyPath: field), emitInitialValue)
    }

    /// Returns the present value of a virtual field, and a new one after each commit that changes the object.
    ///
    /// - Parameter emitInitialValue: false to begin with the first change.
    public func values<OBase, V: Sendable>(
        _ field: KeyPath<O, FieldContainer<OBase>.Virtual<V>>, emitInitialValue: Bool = true
    ) -> ObservedSequence<V?, Never> {
        values(KeyPathString(keyPath: field), emitInitialValue)
    }

    /// Returns the present value of a coded field, and a new one after each commit that changes the object.
    ///
    /// - Parameter emitInitialValue: false to begin with the first change.
    public func values<OBase, V: Sendable>(
        _ field: KeyPath<O, FieldContainer<OBase>.Coded<V>>, emitInitialValue: Bool = true
    ) -> ObservedSequence<V?, Never> {
        values(KeyPathString(keyPath: field), emitInitialValue)
    }

    private func values<V: Sendable>(
        _ key: KeyPathString, _ emitInitialValue: Bool
    ) -> ObservedSequence<V?, Never> {
        observed(emitInitialValue) { publisher in publisher.value(key) }
    }
}

/// An object that represents a subscription among the observers of a publisher.
private final class StreamObserver {}
