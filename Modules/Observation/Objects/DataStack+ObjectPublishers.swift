public import CofferSchema
public import CofferStorage
public import CofferTransactions

/// Creates object publishers of a data stack: `publishObject`.
extension DataStack {
    /// Returns a publisher of an object of any source.
    ///
    /// ```swift
    /// let publisher = stack.publishObject(person)
    /// publisher.addObserver(self) { publisher in
    ///     print(publisher.snapshot?.$name ?? "(deleted)")
    /// }
    /// ```
    ///
    /// Keep the publisher for as long as it is observed. If the object was deleted, its `snapshot` and `object` are
    /// nil.
    public func publishObject<O: DynamicObject>(_ object: O) -> ObjectPublisher<O> {
        .of(object.cs_id(), in: self)
    }

    /// Returns a publisher of the object with an id.
    ///
    /// ```swift
    /// let publisher: ObjectPublisher<Person> = stack.publishObject(id)
    /// ```
    ///
    /// The call does not read the store. If no such object exists, the `snapshot` and `object` of the publisher are
    /// nil.
    public func publishObject<O: DynamicObject>(_ objectID: ObjectID) -> ObjectPublisher<O> {
        .of(objectID, in: self)
    }
}
