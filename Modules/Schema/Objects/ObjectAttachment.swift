package import CofferStorage

/// The state that only some objects need: their former row, related keys, virtual values and observers.
package final class ObjectAttachment {
    /// The row as it was before the object was changed; nil when it was not, or is new.
    @exclusivity(unchecked) package var base: Row?
    /// The slots that were written since.
    @exclusivity(unchecked) package var changed = ColumnSet()
    /// The related keys of to-many relationships, by the relationship's index in the model.
    package var relatedKeys: [Int: MemberKeys] = [:]
    /// The values of virtual fields that were set, by the field's index in the class; nil when none was, which costs
    /// less to make and to free than an empty dictionary.
    package var virtualValues: [Int: Any]? { didSet { if virtualValues == nil { assignedVirtualFields = [] } } }
    /// The virtual fields that the program has set, other than through the fields' accessors.
    package var assignedVirtualFields: Set<Int> = []
    /// Who is told when a property is set; nil when nobody ever was.
    var watchers: [Weak<PropertyWatcher>]?
    /// The object that stands for this one.
    var target: CoreStoreObject?
    /// The objects for which this one stands.
    var forwarders: [Weak<CoreStoreObject>] = []

    package init() {}
}

extension CoreStoreObject {
    /// The object's row, as it is now: a later change of the object does not change this row.
    package final var row: Row {
        @inline(__always) get {
            if state.contains(.isWritable) { state.insert(.isShared) }
            return held.row
        }
        set {
            let old = held
            held = RowReference(retaining: newValue)
            old.release()
            state.insert(.isShared)
            if state.contains(.hasForwarders) { updateForwarders() }
        }
    }

    package final var id: ObjectID { ObjectID(storage: storageNumber, key: held.lent { $0.key }) }

    /// The row as it was before the object was changed; nil when it was not, or is new.
    package final var base: Row? {
        get { attachment?.base }
        set { if newValue != nil || attachment != nil { attached.base = newValue } }
    }

    /// The slots that were written since the object had its ``base``.
    package final var changed: ColumnSet {
        get { attachment?.changed ?? ColumnSet() }
        set { if !newValue.isEmpty || attachment != nil { attached.changed = newValue } }
    }

    /// The attachment, made when there is none.
    package final var attached: ObjectAttachment {
        if let attachment { return attachment }
        let made = ObjectAttachment()
        attachment = made
        return made
    }
}
