public import CofferStorage

/// What the framework hands to ``CoreStoreObject/init(rawObject:)``: one row in one context.
///
/// There is nothing to do with it but pass it on to `super`.
public struct RawObject {
    @usableFromInline let row: Row
    @usableFromInline let id: ObjectID
    @usableFromInline let context: ObjectContext
    @usableFromInline let batch: AnyObject?

    package init(row: Row, id: ObjectID, context: ObjectContext, batch: AnyObject?) {
        self.row = row
        self.id = id
        self.context = context
        self.batch = batch
    }
}
