public import CofferSchema
import CofferStorage
import CofferTransactions

/// Observes a stored field of an object with a closure: `object.observe(\.$name, options:)`.
extension DynamicObject where Self: CoreStoreObject {
    /// Calls a closure each time a stored field of the object is set.
    ///
    /// ```swift
    /// observation = person.observe(\.$age, options: [.old, .new]) { person, change in
    ///     print(change.oldValue ?? 0, change.newValue ?? 0)
    /// }
    /// ```
    ///
    /// Keep the result: the calls end when the result is invalidated or deallocated. An object of a data stack calls
    /// the closure on the view queue, after a commit that changes the field. An object of a transaction calls the
    /// closure on the thread that sets the field.
    ///
    /// Without the options `.old` and `.new`, `oldValue` and `newValue` are nil.
    public func observe<O, V>(
        _ keyPath: KeyPath<Self, FieldContainer<O>.Stored<V>>, options: ObservationOptions = [],
        changeHandler: @escaping (Self, CoreStoreObjectValueDiff<V>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        let key = KeyPathString(keyPath: keyPath)
        let observation = PropertyObservation<Self, V?>(self, key, options) { object in
            (object.context.driver as? ObjectGraph)?.value(key, of: object).flatMap { $0 as? V }
        } _: { object, change in
            changeHandler(object, CoreStoreObjectValueDiff(change, none: nil))
        }
        return observation ?? NoObservation()
    }
}
