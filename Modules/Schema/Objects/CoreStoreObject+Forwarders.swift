/// Forwards one of two live objects of the same row to the other one, the canonical object.
///
/// Two such objects exist after a new object is saved and merged into another object, if the program keeps both. The
/// forwarding object shares the row of the canonical object, so that reads take no more time. The canonical object
/// carries out all other calls of the forwarding object.
extension CoreStoreObject {
    /// The canonical object of this object: itself, unless it forwards to another object.
    @inline(__always)
    package final var canonical: CoreStoreObject { state.contains(.isForwarding) ? target : self }

    private final var target: CoreStoreObject { attachment?.target?.canonical ?? self }

    /// Makes another object of the same context the canonical object of this object.
    ///
    /// Pending changes are not transferred. The watchers of this object become watchers of the other object.
    ///
    /// - Parameters:
    ///   - object: an object of the same class, or of a subclass.
    ///   - keepsVirtualValues: whether the virtual values of this object replace the virtual values of the other
    ///     object.
    package final func forward(to object: CoreStoreObject, keepsVirtualValues: Bool) {
        let object = object.canonical
        guard object !== self else { return }
        if keepsVirtualValues {
            let offset = object.virtualOffset(of: self)
            for (slot, value) in attachment?.virtualValues ?? [:] {
                object.attached.virtualValues = object.attached.virtualValues ?? [:]
                object.attached.virtualValues?[slot + offset] = value
            }
            for slot in attachment?.assignedVirtualFields ?? [] {
                object.attached.assignedVirtualFields.insert(slot + offset)
            }
        }
        if let watchers = attachment?.watchers, !watchers.isEmpty {
            object.attached.watchers = (object.attached.watchers ?? []) + watchers
            object.state.insert(.isObserved)
        }
        // Objects that forward to this object reach the other object through it, but must receive new rows directly.
        object.attached.forwarders.removeAll { $0.object == nil }
        object.attached.forwarders += (attachment?.forwarders ?? []) + [Weak(object: self)]
        object.state.insert(.hasForwarders)
        let own = ObjectAttachment()
        own.target = object
        attachment = own
        state = .isForwarding
        object.updateForwarders()
    }

    /// Passes the row to the objects that forward to this object.
    final func updateForwarders() {
        for forwarder in attachment?.forwarders ?? [] { forwarder.object?.row = row }
    }

    /// Returns the difference between the indexes of a virtual field in this object and in a forwarding object.
    ///
    /// The indexes differ because fields of subclasses come first.
    final func virtualOffset(of object: CoreStoreObject) -> Int {
        guard type(of: object) != type(of: self), let binding = context.binding,
            let own = binding.entity(of: type(of: self)), let other = binding.entity(of: type(of: object))
        else { return 0 }
        return binding.entities[own].virtualFields.count - binding.entities[other].virtualFields.count
    }

    /// Returns the word of a virtual field in the canonical object.
    final func canonicalWord(_ word: FieldWord) -> FieldWord {
        guard word.isBound else { return word }
        return FieldWord(slot: word.slot + canonical.virtualOffset(of: self), hasAccessors: true)
    }
}
