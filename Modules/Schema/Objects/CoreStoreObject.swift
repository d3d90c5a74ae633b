public import CofferStorage

/// The base class of every entity's class.
///
/// ```swift
/// class Person: CoreStoreObject {
///     @Field.Stored("name")
///     var name: String = ""
///
///     @Field.Relationship("pets", inverse: \.$master)
///     var pets: Set<Dog>
/// }
/// ```
///
/// Objects are made by transactions and fetches, never by `init`. An object belongs to the data stack or transaction
/// it was got from and may be used where that may be used. Within one context there is one object for one row.
open class CoreStoreObject: DynamicObject, Hashable {
    @exclusivity(unchecked) @usableFromInline package final var row: Row
    /// The row as it was before it was changed; nil when it was not.
    @exclusivity(unchecked) package final var base: Row?
    @exclusivity(unchecked) package final var changed = ColumnSet()
    @exclusivity(unchecked) package final var state: ObjectState
    @exclusivity(unchecked) package final var batch: AnyObject?
    @exclusivity(unchecked) package final var attachment: ObjectAttachment?
    @usableFromInline package final let id: ObjectID
    @usableFromInline package final let context: ObjectContext

    /// Called by the framework for each row that becomes an object.
    public required init(rawObject: RawObject) {
        row = rawObject.row
        id = rawObject.id
        context = rawObject.context
        batch = rawObject.batch
        state = []
    }

    /// Called by the framework once for each class, to learn its fields.
    public required init(asMeta: Void) {
        row = MetaObjects.row
        id = ObjectID(storage: .max, key: 0)
        context = MetaObjects.context
        state = .meta
    }

    /// Whether both are the same row in the same context.
    public static func == (left: CoreStoreObject, right: CoreStoreObject) -> Bool {
        if left === right { return true }
        if left.state.contains(.meta) || right.state.contains(.meta) { 
            return left.state.contains(.meta) && right.state.contains(.meta) && type(of: left) == type(of: right)
        }
        return left.context === right.context && left.id == right.id
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(context))
        hasher.combine(id)
    }

    public final func cs_id() -> ObjectID { id }

    /// The object's id, permanent from the moment it was created.
    public final func objectID() -> ObjectID { id }

    /// Whether the object was deleted: in this context, or by a commit the context has seen. Its last values stay
    /// readable.
    public final var isDeleted: Bool { state.contains(.isDeleted) }
}

/// What only some objects need: the cached values of virtual fields and the relationships that were looked at.
package final class ObjectAttachment {
    /// The related keys of to-many relationships, by the relationship's index in the model.
    package var relatedKeys: [Int: [Int64]] = [:]
    /// Values of fields that are not stored, by key path.
    package var virtualValues: [String: Any] = [:]

    package init() {}
}
