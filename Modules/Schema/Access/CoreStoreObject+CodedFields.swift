import CofferStorage
import Foundation

/// Reads and writes coded fields; has the messages for values that cannot be encoded or decoded.
extension CoreStoreObject {
    /// Reads a coded field through its accessors.
    @usableFromInline
    final func readCoded<V>(_ word: FieldWord) -> V {
        #if DEBUG
            checkRead()
        #endif
        if word.isBound, let getter = descriptor(ofSlot: word.slot)?.reader(V.self) { return getter.read(self, word) }
        return decodedValue(word)
    }

    /// Writes a coded field through its accessors.
    @usableFromInline
    final func writeCoded<V>(_ value: V, _ word: FieldWord) {
        guard word.isBound else { return reportUnbound() }
        guard !state.contains(.isForwarding) else { return canonical.writeCoded(value, word) }
        guard context.driver.willChange(self) else { return }
        watching(.slot(word.slot)) {
            if let setter = descriptor(ofSlot: word.slot)?.writer(V.self) {
                setter.write(self, word, value)
            } else {
                encodeValue(value, word)
            }
        }
    }

    /// The stored value; nil for null.
    final func decodedPrimitive<V>(_ word: FieldWord) -> V? {
        guard word.isBound, !row.isNull(word.slot) else { return nil }
        // The type is explicit, because otherwise the value of an optional field would be decoded.
        return decodedValue(word) as V
    }

    /// Stores a value, or null for nil, without notifying the watchers of the field.
    final func encodePrimitive<V>(_ value: V?, _ word: FieldWord) {
        guard word.isBound else { return }
        guard !state.contains(.isForwarding) else { return canonical.encodePrimitive(value, word) }
        guard context.driver.willChange(self) else { return }
        if let value { return encodeValue(value, word) }
        context.driver.didFail(self, slot: word.slot, nil)
        writeAllowed(Data?.none, word.slot)
    }

    /// Stores a value after the context has allowed the change.
    private final func encodeValue<V>(_ value: V, _ word: FieldWord) {
        guard let coding: FieldCoding<V> = descriptor(ofSlot: word.slot)?.coding() else { return }
        let data: Data?
        do {
            data = try coding.encode(value)
        } catch {
            // The old value stays, but the failure is recorded, so that the old value is not saved instead.
            context.driver.didFail(self, slot: word.slot, encodingError(error, word.slot))
            return context.driver.didChange(self, slot: word.slot)
        }
        context.driver.didFail(self, slot: word.slot, nil)
        writeAllowed(data, word.slot)
    }

    private final func decodedValue<V>(_ word: FieldWord) -> V {
        let field = word.isBound ? descriptor(ofSlot: word.slot) : word.descriptor
        guard let field, let coding: FieldCoding<V> = field.coding(), let fallback: FieldFallback<V> = field.fallback()
        else {
            Diagnostics.abort("'\(type(of: self))' has no coded field of type '\(V.self)' here.")
        }
        guard word.isBound else {
            reportMeta()
            return fallback.value()
        }
        return field.decoded(coding, row, word.slot, of: id, type(of: self)) ?? fallback.value()
    }

    final func encodingError(_ error: any Error, _ slot: Int) -> StorageError {
        let name = descriptor(ofSlot: slot)?.keyPath ?? ""
        return StorageError(
            .invalidValue, "The new value of '\(type(of: self)).\(name)' cannot be encoded. Set another value.",
            cause: FieldCodingError.text(of: error)
        )
    }

    final func reportUnbound() {
        Diagnostics.refuse("'\(type(of: self))' is a meta object: it has key paths but no values.")
    }

    final func reportMeta() {
        Diagnostics.assert(
            !state.contains(.meta), "'\(type(of: self))' is a meta object: it has key paths but no values."
        )
    }
}

extension FieldDescriptor {
    func coding<V>() -> FieldCoding<V>? {
        if case .stored(let field) = kind { field.coding as? FieldCoding<V> } else { nil }
    }

    /// The value of a coded field in a row; nil if it cannot be decoded, and the error is logged.
    @inline(__always)
    func decoded<V>(
        _ coding: FieldCoding<V>, _ row: Row, _ slot: Int, of id: ObjectID, _ type: CoreStoreObject.Type
    ) -> V? {
        do {
            return try coding.decode(row.isNull(slot) ? nil : row.blob(slot))
        } catch {
            let failure = StorageError(
                .invalidValue, "'\(type).\(keyPath)' of \(id) cannot be decoded. Its default was used.",
                cause: FieldCodingError.text(of: error)
            )
            Diagnostics.log(CoreStoreError(storage: failure), "Reading a coded field failed.")
            return nil
        }
    }

    func fallback<V>() -> FieldFallback<V>? { accessors.fallback as? FieldFallback<V> }
}
