package import CofferStorage

/// The state that only some objects need: their former row, related keys, virtual values and observers.
package final class ObjectAttachment {
    /// The row before the object was changed; nil if the object is unchanged or new.
    @exclusivity(unchecked) package var base: Row?
    /// The slots that were written since ``base`` was recorded.
    @exclusivity(unchecked) package var changed = ColumnSet()
    // Exclusivity is not checked at run time: no access calls other code while it lasts.
    /// The related keys of to-many relationships, by the relationship's index in the model.
    @exclusivity(unchecked) package var relatedKeys = LoadedMembers()
    /// The values that were set for virtual fields, by the field's index in the class; nil if none was set.
    ///
    /// Nil takes less time to create and to release than an empty dictionary.
    package var virtualValues: [Int: Any]? { didSet { if virtualValues == nil { assignedVirtualFields = [] } } }
    /// The virtual fields that the program has set, other than through the fields' accessors.
    package var assignedVirtualFields: Set<Int> = []
    /// The watchers that are notified when a property is set; nil if there never was a watcher.
    var watchers: [Weak<PropertyWatcher>]?
    /// The object that this object forwards to.
    var target: CoreStoreObject?
    /// The objects that forward to this object.
    var forwarders: [Weak<CoreStoreObject>] = []

    package init() {}
}

extension CoreStoreObject {
    /// The present row of the object; a later change of the object does not change this row.
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

    /// The row before the object was changed; nil if the object is unchanged or new.
    package final var base: Row? {
        get { attachment?.base }
        set { if newValue != nil || attachment != nil { attached.base = newValue } }
    }

    /// The slots that were written since ``base`` was recorded.
    package final var changed: ColumnSet {
        get { attachment?.changed ?? ColumnSet() }
        set { if !newValue.isEmpty || attachment != nil { attached.changed = newValue } }
    }

    /// The attachment, which is created if there is none.
    package final var attached: ObjectAttachment {
        if let attachment { return attachment }
        let made = ObjectAttachment()
        attachment = made
        return made
    }
}
