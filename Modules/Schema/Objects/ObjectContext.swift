package import CofferStorage

/// The context that owns live objects, for a stack, a transaction or a read; reports the use of objects after its end.
///
/// Two contexts are equal only if they are the same instance.
public final class ObjectContext: Hashable {
    /// What the context does for its objects.
    ///
    /// Objects never name the modules that implement it.
    package unowned(unsafe) var driver: any ObjectContextDriver
    /// The schema of the objects; nil for meta objects.
    package let binding: SchemaBinding?
    /// Whether objects may be changed here.
    @usableFromInline package let isEditable: Bool

    /// A context whose driver is set later.
    ///
    /// The driver must outlive every use of the context's objects other than reading their loaded values, or be
    /// replaced by ``detach()``.
    package init(_ binding: SchemaBinding?, isEditable: Bool) {
        driver = DetachedDriver.shared
        self.binding = binding
        self.isEditable = isEditable
    }

    /// Cuts the objects off from a driver that goes away; they keep the values they have.
    package func detach() { driver = DetachedDriver.shared }

    /// Returns whether both values are the same context.
    public static func == (left: ObjectContext, right: ObjectContext) -> Bool { left === right }

    /// Hashes the identity of the context.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What objects ask of the context they live in.
package protocol ObjectContextDriver: AnyObject {
    /// The stack or transaction, while it exists: what `fetchSource()` returns.
    var source: AnyObject? { get }

    /// Checks the rules of access, in debug builds, before a value is read.
    func willRead(_ object: CoreStoreObject)

    /// Records that the object changes, if it may be changed.
    ///
    /// - Returns: false if the object may not be changed; the change is then discarded.
    func willChange(_ object: CoreStoreObject) -> Bool

    /// Tells that a slot was written, after ``willChange(_:)``.
    func didChange(_ object: CoreStoreObject, slot: Int)

    /// Tells why a slot was not given the value it was to have, which must not be saved then; nil when it has one
    /// again.
    func didFail(_ object: CoreStoreObject, slot: Int, _ error: StorageError?)

    /// The object a to-one relationship leads to.
    func related(toOne relationship: Int, of object: CoreStoreObject) -> CoreStoreObject?

    /// Hands over the objects a to-many relationship leads to, one by one, after how many there are at most.
    func forEachRelated(
        toMany relationship: Int, of object: CoreStoreObject, reserve: (Int) -> Void,
        _ body: (Unmanaged<CoreStoreObject>) -> Void
    )

    /// Sets what a to-one relationship leads to, and the inverse.
    func relate(_ object: CoreStoreObject, toOne relationship: Int, _ destination: CoreStoreObject?)

    /// Sets what a to-many relationship leads to, and the inverses.
    func relate(_ object: CoreStoreObject, toMany relationship: Int, _ destinations: [CoreStoreObject])

    /// Drops (`mergingChanges` false) or keeps the pending changes and reads the row again.
    func refresh(_ object: CoreStoreObject, mergingChanges: Bool)
}

/// Stands in for a driver that is gone: values that are loaded stay readable, everything else is empty.
private final class DetachedDriver: ObjectContextDriver, Sendable {
    static let shared = DetachedDriver()

    var source: AnyObject? { nil }
    func willRead(_ object: CoreStoreObject) {}
    func didChange(_ object: CoreStoreObject, slot: Int) {}
    func didFail(_ object: CoreStoreObject, slot: Int, _ error: StorageError?) {}

    func related(toOne relationship: Int, of object: CoreStoreObject) -> CoreStoreObject? {
        if case .reference(let slot, _)? = layout(relationship, object)?.storage, object.row.isNull(slot) { return nil }
        reportUnread(relationship, of: object)
        return nil
    }

    func forEachRelated(
        toMany relationship: Int, of object: CoreStoreObject, reserve: (Int) -> Void,
        _ body: (Unmanaged<CoreStoreObject>) -> Void
    ) {
        reportUnread(relationship, of: object)
    }

    private func layout(_ relationship: Int, _ object: CoreStoreObject) -> RelationshipLayout? {
        object.context.binding?.layout.relationships[relationship]
    }

    /// A relationship that cannot be read is not one that is empty: the transaction or read around the call fails.
    private func reportUnread(_ relationship: Int, of object: CoreStoreObject) {
        let name = layout(relationship, object)?.name ?? "A relationship"
        Diagnostics.reportUnread(
            "'\(name)' of \(object.id) was read after the transaction, read or data stack of the object had ended. Fetch the "
                + "object where you use it.")
    }

    func relate(_ object: CoreStoreObject, toOne relationship: Int, _ destination: CoreStoreObject?) {}
    func relate(_ object: CoreStoreObject, toMany relationship: Int, _ destinations: [CoreStoreObject]) {}
    func refresh(_ object: CoreStoreObject, mergingChanges: Bool) {}

    func willChange(_ object: CoreStoreObject) -> Bool {
        Diagnostics.refuse("'\(type(of: object))' cannot be changed: its transaction or data stack is gone.")
        return false
    }
}
