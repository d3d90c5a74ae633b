public import CofferStorage
public import CofferStorageTools

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
open class CoreStoreObject: DynamicObject, Hashable, CustomDebugStringConvertible,
    CoreStoreDebugStringConvertible
{
    // Few and small: a fetch of a hundred thousand rows makes as many objects.
    @exclusivity(unchecked) @usableFromInline package final var held: RowReference
    @exclusivity(unchecked) package final var attachment: ObjectAttachment?
    package final let context: ObjectContext
    final let storageNumber: UInt32
    /// The number its context has given to the objects that were fetched with it; 0 when it was not fetched.
    @exclusivity(unchecked) package final var batch: UInt32
    @exclusivity(unchecked) @usableFromInline package final var state: ObjectState

    /// Called by the framework for each row that becomes an object.
    public required init(rawObject: RawObject) {
        held = rawObject.takeRow()
        storageNumber = rawObject.id.storage
        context = rawObject.context.takeUnretainedValue()
        batch = rawObject.batch
        state = []
    }

    /// Called by the framework once for each class, to learn its fields.
    public required init(asMeta: Void) {
        held = RowReference(retaining: MetaObjects.row)
        storageNumber = .max
        context = MetaObjects.context
        batch = 0
        state = .meta
    }

    deinit {
        held.release()
    }

    /// Whether both are the same row in the same context.
    public static func == (left: CoreStoreObject, right: CoreStoreObject) -> Bool {
        if left === right { return true }
        if left.state.contains(.meta) || right.state.contains(.meta) {
            return left.state.contains(.meta) && right.state.contains(.meta) && type(of: left) == type(of: right)
        }
        return left.context === right.context && left.id == right.id
    }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) {
        // One word hashes three times faster than an id and a context, and objects of one key in several stores or
        // contexts are rarely in one set.
        hasher.combine(hashWord)
    }

    /// Hashes the id for the collections of the standard library.
    ///
    /// Keys are given by stores and not by whoever fills a set, so they need no hash that withstands malice, and every
    /// look at a to-many relationship hashes all of its objects.
    public func _rawHashValue(seed: Int) -> Int {
        let mixed = (hashWord ^ Int64(truncatingIfNeeded: seed)) &* -0x61C8_8646_80B5_83EB
        return Int(truncatingIfNeeded: mixed ^ mixed >> 32)
    }

    private var hashWord: Int64 { held.key &* 0x9E37_79B9 ^ Int64(storageNumber) }

    /// The object's id.
    public final func cs_id() -> ObjectID { id }

    /// The object's id, permanent from the moment it was created.
    public final func objectID() -> ObjectID { id }

    /// Whether the object was deleted: in this context, or by a commit the context has seen.
    ///
    /// Its last values stay readable.
    public final var isDeleted: Bool {
        state.contains(.isDeleted) || (state.contains(.isForwarding) && canonical.isDeleted)
    }
}
