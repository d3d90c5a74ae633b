/// Forwards one of two live objects of the same row to the other one, the canonical object.
///
/// Two such objects exist after a new object is saved and merged into another object, if the program holds both. The
/// forwarding object shares the row of the canonical one, so that reading costs no more. The canonical object does
/// everything else that is asked of the forwarding object.
extension CoreStoreObject {
    /// The object that stands for this one: itself, unless it forwards to another.
    @inline(__always)
    package final var canonical: CoreStoreObject { state.contains(.isForwarding) ? target : self }

    private final var target: CoreStoreObject { attachment?.target?.canonical ?? self }

    /// Makes another object of the same context stand for this one from now on.
    ///
    /// Pending changes are not handed over. Whoever watches a property here watches it there.
    ///
    /// - Parameters:
    ///   - object: of the same class, or of a subclass.
    ///   - keepsVirtualValues: whether the virtual values that were set here replace those that were set there.
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
        // Those that forwarded here follow through the chain, but must be told of new rows.
        object.attached.forwarders.removeAll { $0.object == nil }
        object.attached.forwarders += (attachment?.forwarders ?? []) + [Weak(object: self)]
        object.state.insert(.hasForwarders)
        let own = ObjectAttachment()
        own.target = object
        attachment = own
        state = .isForwarding
        object.updateForwarders()
    }

    /// Gives the objects that forward here the row.
    final func updateForwarders() {
        for forwarder in attachment?.forwarders ?? [] { forwarder.object?.row = row }
    }

    /// How far the indexes of the virtual fields of an object that forwards here are from those of the same fields here:
    /// fields of subclasses come first.
    final func virtualOffset(of object: CoreStoreObject) -> Int {
        guard type(of: object) != type(of: self), let binding = context.binding,
            let own = binding.entity(of: type(of: self)), let other = binding.entity(of: type(of: object))
        else { return 0 }
        return binding.entities[own].virtualFields.count - binding.entities[other].virtualFields.count
    }

    /// The word of a virtual field in the object that stands for this one.
    final func canonicalWord(_ word: FieldWord) -> FieldWord {
        guard word.isBound else { return word }
        return FieldWord(slot: word.slot + canonical.virtualOffset(of: self), hasAccessors: true)
    }
}
