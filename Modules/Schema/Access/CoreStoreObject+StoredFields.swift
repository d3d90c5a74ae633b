public import CofferStorage

/// Reads and writes stored fields; logs a stored value whose type differs from the type of its field.
///
/// The common case is inlined into the user's accessors; everything else is here.
extension CoreStoreObject {
    #if DEBUG
        @usableFromInline
        final func checkRead() { context.driver.willRead(self) }
    #endif

    @inlinable
    @inline(__always)
    final func write<V: FieldStorableType>(_ value: V, _ word: FieldWord) {
        if word.isPlain, state.isFastWritable, held.edit({ value._write($0, word.slot) }) {
            // A new object is saved whole.
            if !state.contains(.isInserted) { markChanged(word.slot) }
        } else {
            writeSpecial(value, word)
        }
    }

    /// Records that a slot was written.
    @usableFromInline
    package final func markChanged(_ slot: Int) {
        if let attachment, attachment.base != nil { attachment.changed.insert(slot) }
    }

    private final func setSlot<V: FieldStorableType>(_ slot: Int, to value: V) {
        if editRow(room: value._storedValue.tailSize, { value._write($0, slot) }) { return }
        let text = "The value does not fit '\(descriptor(ofSlot: slot)?.keyPath ?? "")' of '\(type(of: self))'."
        Diagnostics.assert(false, text)
        context.driver.didFail(self, slot: slot, StorageError(.invalidValue, text))
    }

    /// Writes into the row of the object, or into a copy if the row has other owners or no room.
    ///
    /// - Parameters:
    ///   - room: the bytes that the closure may write into the tail.
    ///   - body: writes, and returns whether the row had room. It may be called again with the copy.
    /// - Returns: whether the copy had room.
    @discardableResult
    package final func editRow(room: @autoclosure () -> Int = 0, _ body: (borrowing RowBuilder) -> Bool) -> Bool {
        // Before the context has recorded a change, nothing records whether the row has other owners.
        let isPrivate = state.intersection([.isWritable, .isShared]) == .isWritable || held.isUnique
        if isPrivate {
            state.remove(.isShared)
            if held.edit(body) { return true }
        }
        let copy = RowBuilder(copying: row, room: (isPrivate ? max(row.tailSize, 64) : 16) + room())
        guard body(copy) else { return false }
        row = copy.build()
        state.remove(.isShared)
        return true
    }

    /// Reads a field with accessors, a slot without a value of the type, or a field that is not part of the entity.
    @usableFromInline
    final func readSpecial<V: FieldStorableType>(_ word: FieldWord) -> V {
        if word.isBound, !word.isPlain, let getter = descriptor(ofSlot: word.slot)?.reader(V.self) {
            return getter.read(self, word)
        }
        return readStored(word)
    }

    /// Writes a field with accessors, a value that needs a larger row, or an object that is not yet being changed.
    @usableFromInline
    final func writeSpecial<V: FieldStorableType>(_ value: V, _ word: FieldWord) {
        guard word.isBound else { return reportUnbound() }
        guard !state.contains(.isForwarding) else { return canonical.writeSpecial(value, word) }
        guard context.driver.willChange(self) else { return }
        watching(.slot(word.slot)) {
            if !word.isPlain, let setter = descriptor(ofSlot: word.slot)?.writer(V.self) {
                setter.write(self, word, value)
            } else {
                writeAllowed(value, word.slot)
            }
        }
    }

    /// Writes a slot without the accessors of the field, and without notifying its watchers.
    final func writeStored<V: FieldStorableType>(_ value: V, _ slot: Int) {
        guard !state.contains(.isForwarding) else { return canonical.writeStored(value, slot) }
        guard context.driver.willChange(self) else { return }
        writeAllowed(value, slot)
    }

    /// Writes a slot after the context has allowed the change.
    final func writeAllowed<V: FieldStorableType>(_ value: V, _ slot: Int) {
        setSlot(slot, to: value)
        if !state.contains(.isInserted) { markChanged(slot) }
        context.driver.didChange(self, slot: slot)
    }

    /// Reads a slot without the accessors of the field.
    final func readStored<V: FieldStorableType>(_ word: FieldWord) -> V {
        if word.isBound {
            if let value = V._read(row, word.slot) { return value }
        } else {
            reportMeta()
        }
        let field = word.isBound ? descriptor(ofSlot: word.slot) : word.descriptor
        guard let field, let value = field.fallback(V.self) else {
            Diagnostics.abort("A field of '\(type(of: self))' has neither a value of type '\(V.self)' nor a default.")
        }
        if word.isBound {
            Diagnostics.log(
                .warning,
                "'\(type(of: self)).\(field.keyPath)' of \(id) has no value of type '\(V.self)'. Its default was used."
            )
        }
        return value
    }

    final func primitiveValue<V: FieldStorableType>(_ word: FieldWord) -> V? {
        guard word.isBound, !row.isNull(word.slot) else { return nil }
        return V._read(row, word.slot)
    }

    final func setPrimitiveValue<V: FieldStorableType>(_ value: V?, _ word: FieldWord) {
        guard word.isBound else { return }
        writeStored(value, word.slot)
    }

    /// Writes the initial value of a new object, without recording a change.
    package final func writeInitialValue(_ value: () throws -> any FieldStorableType, _ slot: Int) {
        do {
            setSlot(slot, to: try value())
        } catch {
            context.driver.didFail(self, slot: slot, encodingError(error, slot))
        }
    }

    final func descriptor(ofSlot slot: Int) -> FieldDescriptor? {
        context.binding?.entities[row.entity].field(slot: slot)
    }
}

extension FieldDescriptor {
    /// Returns the default of the field, for a value that cannot be read.
    func fallback<V: FieldStorableType>(_ type: V.Type) -> V? {
        guard case .stored(let field) = kind else { return nil }
        return V._fromStoredValue(field.defaultValue) ?? (try? field.dynamicInitialValue?()) as? V
    }
}
