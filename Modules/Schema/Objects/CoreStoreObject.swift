public import CofferStorage
public import CofferStorageTools

/// The base class of all classes whose objects are stored.
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
/// Register each class as an ``Entity`` of a schema. Transactions and fetches create the objects; a program never calls
/// `init`. An object belongs to the data stack or transaction that returned it: use it on the queue or thread of its
/// owner. One owner has one object for each row.
///
/// Only objects of a transaction can be changed. A change of an object of a data stack is refused: an assertion stops a
/// debug build, and a release build changes nothing. A change of a deleted object is discarded, and a warning is
/// logged.
open class CoreStoreObject: DynamicObject, Hashable, CustomDebugStringConvertible,
    CoreStoreDebugStringConvertible
{
    // The properties are few and small, because a fetch of 100,000 rows creates 100,000 objects.
    @exclusivity(unchecked) @usableFromInline package final var held: RowReference
    @exclusivity(unchecked) package final var attachment: ObjectAttachment?
    package final let context: ObjectContext
    final let storageNumber: UInt32
    /// The number that the context assigned to the objects of one fetch; 0 if the object was not fetched.
    @exclusivity(unchecked) package final var batch: UInt32
    @exclusivity(unchecked) @usableFromInline package final var state: ObjectState

    /// Creates the object of a row; only the library calls this initialiser.
    public required init(rawObject: RawObject) {
        held = rawObject.takeRow()
        storageNumber = rawObject.id.storage
        context = rawObject.context.takeUnretainedValue()
        batch = rawObject.batch
        state = []
    }

    /// Creates the object that describes the fields of the class; only the library calls this initialiser.
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

    /// Returns whether both objects represent the same row in the same context.
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
    /// Stores assign the keys, so they need no hash that withstands an attack. The hash must be fast, because each read
    /// of a to-many relationship hashes all of its objects.
    public func _rawHashValue(seed: Int) -> Int {
        let mixed = (hashWord ^ Int64(truncatingIfNeeded: seed)) &* -0x61C8_8646_80B5_83EB
        return Int(truncatingIfNeeded: mixed ^ mixed >> 32)
    }

    private var hashWord: Int64 { held.key &* 0x9E37_79B9 ^ Int64(storageNumber) }

    /// The object's id.
    public final func cs_id() -> ObjectID { id }

    /// The id of the object, which is permanent from the creation of the object; any thread may use it.
    public final func objectID() -> ObjectID { id }

    /// Whether this transaction, or a commit that the owner has seen, has deleted the object.
    ///
    /// The last values of a deleted object stay readable.
    public final var isDeleted: Bool {
        state.contains(.isDeleted) || (state.contains(.isForwarding) && canonical.isDeleted)
    }
}
