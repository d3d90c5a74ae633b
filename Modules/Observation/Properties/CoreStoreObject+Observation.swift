public import CofferSchema
import CofferStorage
import CofferTransactions

extension DynamicObject where Self: CoreStoreObject {
    /// Calls the closure whenever a stored field is set, on the thread that sets it, until the observation is invalidated
    /// or let go of.
    ///
    /// ```swift
    /// observation = person.observe(\.$age, options: [.old, .new]) { person, change in
    ///     print(change.oldValue ?? 0, change.newValue ?? 0)
    /// }
    /// ```
    ///
    /// For an object of a data stack, that is when the stack takes over a commit that changes the field: then it is
    /// called on the view queue, and only after the change.
    public func observe<O, V>(
        _ keyPath: KeyPath<Self, FieldContainer<O>.Stored<V>>, options: ObservationOptions = [],
        changeHandler: @escaping (Self, CoreStoreObjectValueDiff<V>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        let key = KeyPathString(keyPath: keyPath)
        let observation = PropertyObservation<Self, V?>(self, key, options) { object in
            let fields = (object.context.driver as? ObjectGraph)?.binding.entities[object.row.entity].fields
            guard let (field, word) = fields?.first(where: { $0.descriptor.keyPath == key }) else { return nil }
            return field.reading.ofObject(object, word) as? V
        } _: { object, change in
            changeHandler(object, CoreStoreObjectValueDiff(change))
        }
        return observation ?? NoObservation(key)
    }
}
