/// The closures that read and write one kind of property: with its accessors, and without them.
struct FieldAccess<V> {
    let read: (CoreStoreObject, FieldWord) -> V
    let write: (CoreStoreObject, FieldWord, V) -> Void
    let readPrimitive: (CoreStoreObject, FieldWord) -> V?
    let writePrimitive: (CoreStoreObject, FieldWord, V?) -> Void
    /// Whether the closures for reading check the queue.
    var checksReads = false

    /// The access to a value that is not in the store.
    static var virtual: FieldAccess {
        FieldAccess(
            read: { $0.readVirtual($1) }, write: { $0.writeVirtual($2, $1) }, readPrimitive: { $0.virtualValue($1) },
            writePrimitive: { $0.setVirtualValue($2, $1) }, checksReads: true
        )
    }

    /// The access to a value that a coder converts to bytes.
    static var coded: FieldAccess {
        FieldAccess(
            read: { $0.readCoded($1) }, write: { $0.writeCoded($2, $1) }, readPrimitive: { $0.decodedPrimitive($1) },
            writePrimitive: { $0.encodePrimitive($2, $1) }, checksReads: true
        )
    }
}

extension FieldAccess where V: FieldStorableType {
    /// The access to a value with its own column.
    static var stored: FieldAccess {
        FieldAccess(
            read: { $0.readSpecial($1) }, write: { $0.writeSpecial($2, $1) },
            readPrimitive: { $0.primitiveValue($1) }, writePrimitive: { $0.setPrimitiveValue($2, $1) }
        )
    }
}
