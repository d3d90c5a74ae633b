public import CofferSchema
public import CofferStorage
public import CofferTransactions

extension DataStack {
    /// A publisher of an object, whatever context that is of.
    public func publishObject<O: DynamicObject>(_ object: O) -> ObjectPublisher<O> {
        .of(object.cs_id(), in: self)
    }

    /// A publisher of the object with an id.
    public func publishObject<O: DynamicObject>(_ objectID: ObjectID) -> ObjectPublisher<O> {
        .of(objectID, in: self)
    }
}
