import CofferStorage

/// Reads and writes virtual fields of an object, which are not in the store.
extension CoreStoreObject {
    /// Reads a virtual field through its accessors.
    @usableFromInline
    final func readVirtual<V>(_ word: FieldWord) -> V {
        #if DEBUG
            checkRead()
        #endif
        guard !state.contains(.isForwarding) else { return canonical.readVirtual(canonicalWord(word)) }
        if !word.isBound { reportMeta() }
        let field = word.isBound ? virtualField(word) : word.descriptor
        if let getter = field?.reader(V.self) { return getter.read(self, word) }
        if let value: V = virtualValue(word) { return value }
        guard let fallback: FieldFallback<V> = field?.fallback() else {
            Diagnostics.abort("'\(type(of: self))' has no virtual field of type '\(V.self)' here.")
        }
        return fallback.value()
    }

    /// Writes a virtual field through its accessors.
    @usableFromInline
    final func writeVirtual<V>(_ value: V, _ word: FieldWord) {
        guard word.isBound else { return reportUnbound() }
        guard !state.contains(.isForwarding) else { return canonical.writeVirtual(value, canonicalWord(word)) }
        guard context.driver.willChange(self) else { return }
        watching(.virtual(word.slot)) {
            if let setter = virtualField(word)?.writer(V.self) {
                setter.write(self, word, value)
            } else {
                setVirtualValue(value, word)
                attached.assignedVirtualFields.insert(word.slot)
            }
        }
    }

    /// Returns the value that was set; nil if none was set.
    final func virtualValue<V>(_ word: FieldWord) -> V? {
        guard !state.contains(.isForwarding) else { return canonical.virtualValue(canonicalWord(word)) }
        // The lookup comes first, because a missing value differs from the value nil.
        guard word.isBound, let value = attachment?.virtualValues?[word.slot] else { return nil }
        return value as? V
    }

    /// Sets the value without notifying watchers.
    final func setVirtualValue<V>(_ value: V?, _ word: FieldWord) {
        guard !state.contains(.isForwarding) else { return canonical.setVirtualValue(value, canonicalWord(word)) }
        guard word.isBound, value != nil || attachment != nil else { return }
        attached.virtualValues = attached.virtualValues ?? [:]
        attached.virtualValues?[word.slot] = value
        if value == nil { attached.assignedVirtualFields.remove(word.slot) }
    }

    /// Discards the values that getters of virtual fields stored, because other fields have new values.
    ///
    /// - Parameter keepsSet: whether to keep the values that the program may have set: values of fields without a
    ///   getter or with a setter, and values that were set without an accessor.
    package final func forgetVirtualValues(keepingSet keepsSet: Bool) {
        guard let attachment, let values = attachment.virtualValues else { return }
        guard keepsSet, let fields = context.binding?.entities[row.entity].virtualFields else {
            return attachment.virtualValues = nil
        }
        attachment.virtualValues = values.filter { slot, _ in
            !fields[slot].isMemo || attachment.assignedVirtualFields.contains(slot)
        }
    }

    private final func virtualField(_ word: FieldWord) -> FieldDescriptor? {
        context.binding?.entities[row.entity].virtualFields[word.slot]
    }
}
