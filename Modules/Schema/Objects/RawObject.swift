package import CofferStorage

/// What the framework hands to ``CoreStoreObject/init(rawObject:)``: one row in one context.
///
/// There is nothing to do with it but pass it on to `super`.
public struct RawObject {
    // Nothing here is retained, so that passing it on costs nothing: whoever makes one keeps all of it alive until the
    // object has been made, and the object then retains what it keeps.
    package var row: RowReference
    package var id: ObjectID
    let context: Unmanaged<ObjectContext>
    let batch: Unmanaged<AnyObject>?

    /// - Parameters: what outlives the making of the object.
    package init(row: RowReference, id: ObjectID, context: ObjectContext, batch: AnyObject?) {
        self.row = row
        self.id = id
        self.context = .passUnretained(context)
        self.batch = batch.map(Unmanaged.passUnretained)
    }
}
