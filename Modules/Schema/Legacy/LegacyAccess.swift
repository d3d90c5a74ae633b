/// The closures that read and write one kind of deprecated property.
struct LegacyAccess<V> {
    let read: (CoreStoreObject, FieldWord) -> V
    let write: (CoreStoreObject, FieldWord, V) -> Void
    let readPrimitive: (CoreStoreObject, FieldWord) -> V?
    let writePrimitive: (CoreStoreObject, FieldWord, V?) -> Void
    /// Whether the closures for reading check the queue.
    var checksReads = false

    /// A value that is not in the store.
    static var transient: LegacyAccess {
        LegacyAccess(
            read: { $0.readVirtual($1) }, write: { $0.writeVirtual($2, $1) }, readPrimitive: { $0.virtualValue($1) },
            writePrimitive: { $0.setVirtualValue($2, $1) }, checksReads: true
        )
    }

    /// A value that a coder converts to bytes.
    static var coded: LegacyAccess {
        LegacyAccess(
            read: { $0.readCoded($1) }, write: { $0.writeCoded($2, $1) }, readPrimitive: { $0.decodedPrimitive($1) },
            writePrimitive: { $0.encodePrimitive($2, $1) }, checksReads: true
        )
    }

    /// A value with its own column.
    static func stored<S>(_ form: ImportableForm<V, S>) -> LegacyAccess {
        LegacyAccess(
            read: { form.value($0.readSpecial($1)) },
            write: { $0.writeSpecial(form.stored($2), $1) },
            readPrimitive: { $0.primitiveValue($1).map(form.value) },
            writePrimitive: { $0.setPrimitiveValue($2.map(form.stored), $1) }
        )
    }

    /// Related objects.
    static func related() -> LegacyAccess where V: FieldRelationshipType {
        LegacyAccess(
            read: { $1.isBound ? V._related($1.slot, of: $0) : $0.unboundRelationship() },
            write: { object, word, newValue in
                guard word.isBound else { return object.reportUnbound() }
                newValue._relate(word.slot, of: object)
            },
            readPrimitive: { $1.isBound ? V._related($1.slot, of: $0) : nil },
            writePrimitive: { object, word, newValue in (newValue ?? V._empty)._relate(word.slot, of: object) }
        )
    }
}
