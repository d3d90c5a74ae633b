package import CofferStorage

/// The context that owns live objects, for a stack, transaction or read; reports uses of objects of an ended context.
///
/// Two contexts are equal only if they are the same instance.
public final class ObjectContext: Hashable {
    /// The driver, which carries out the operations of the objects.
    ///
    /// Objects never name the modules that implement the driver.
    package unowned(unsafe) var driver: any ObjectContextDriver
    /// The schema of the objects; nil for meta objects.
    package let binding: SchemaBinding?
    /// Whether objects may be changed here.
    @usableFromInline package let isEditable: Bool

    /// Creates a context whose driver is set later.
    ///
    /// The driver must exist for as long as objects of the context are used for more than reads of loaded values.
    /// Otherwise, ``detach()`` must replace the driver.
    package init(_ binding: SchemaBinding?, isEditable: Bool) {
        driver = DetachedDriver.shared
        self.binding = binding
        self.isEditable = isEditable
    }

    /// Separates the objects from a driver that will be deallocated; the objects keep their loaded values.
    package func detach() { driver = DetachedDriver.shared }

    /// Returns whether both values are the same context.
    public static func == (left: ObjectContext, right: ObjectContext) -> Bool { left === right }

    /// Hashes the identity of the context.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The operations that objects request from their context.
package protocol ObjectContextDriver: AnyObject {
    /// The stack or transaction, which `fetchSource()` returns; nil if it no longer exists.
    var source: AnyObject? { get }

    /// Checks the rules of access, in debug builds, before a value is read.
    func willRead(_ object: CoreStoreObject)

    /// Records that the object changes, if it may be changed.
    ///
    /// - Returns: false if the object may not be changed; the change is then discarded.
    func willChange(_ object: CoreStoreObject) -> Bool

    /// Records that a slot was written, after ``willChange(_:)``.
    func didChange(_ object: CoreStoreObject, slot: Int)

    /// Records the reason why a slot could not be set; nil if the slot has a valid value again.
    ///
    /// While there is a reason, the slot must not be saved.
    func didFail(_ object: CoreStoreObject, slot: Int, _ error: StorageError?)

    /// Returns the related object of a to-one relationship.
    func related(toOne relationship: Int, of object: CoreStoreObject) -> CoreStoreObject?

    /// Passes the maximum number of related objects to `reserve`, and then each related object to the closure.
    func forEachRelated(
        toMany relationship: Int, of object: CoreStoreObject, reserve: (Int) -> Void,
        _ body: (Unmanaged<CoreStoreObject>) -> Void
    )

    /// Sets the related object of a to-one relationship, and the inverse.
    func relate(_ object: CoreStoreObject, toOne relationship: Int, _ destination: CoreStoreObject?)

    /// Sets the related objects of a to-many relationship, and the inverses.
    func relate(_ object: CoreStoreObject, toMany relationship: Int, _ destinations: [CoreStoreObject])

    /// Reads the row again, and discards (`mergingChanges` false) or keeps the pending changes.
    func refresh(_ object: CoreStoreObject, mergingChanges: Bool)
}

/// Replaces a driver that no longer exists: loaded values stay readable, and everything else is empty.
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

    /// Reports a relationship that cannot be read, so that the enclosing transaction or read fails.
    ///
    /// The relationship might have related objects.
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
        Diagnostics.refuse("'\(type(of: object))' cannot be changed, because its transaction or data stack has ended.")
        return false
    }
}
