import CofferStorage
public import CofferStorageTools

// The members are in protocol extensions, so that a subclass may give its fields any name, also `debugDescription`.
/// Describes an object with its id, state and values, for the debugger and logs.
extension CoreStoreDebugStringConvertible where Self: CoreStoreObject {
    /// The id, the state and the values of the object.
    ///
    /// A relationship that was not read yet is shown as `not loaded`. Custom getters are not called.
    public var coreStoreDumpString: String { (self as CoreStoreObject).canonical.dump }
}

extension CoreStoreObject {
    fileprivate final var dump: String {
        guard !state.contains(.meta), let binding = context.binding else {
            return DumpTree.text([("isMeta", state.contains(.meta))])
        }
        let states: [(ObjectState, String)] = [
            (.isInserted, "inserted"), (.isUpdated, "updated"), (.isDeleted, "deleted"),
        ]
        let state = states.filter { self.state.contains($0.0) }.map(\.1)
        var fields: [(name: String, value: Any)] = [
            ("objectID", id), ("state", DumpWord(state.isEmpty ? "unchanged" : state.joined(separator: ", "))),
        ]
        for (field, word) in binding.entities[row.entity].fields {
            fields.append((field.keyPath, dumpedValue(field, word, binding.layout)))
        }
        return DumpTree.text(fields)
    }

    private final func dumpedValue(_ field: FieldDescriptor, _ word: FieldWord, _ layout: ModelLayout) -> Any {
        switch field.kind {
        case .stored:
            if let value = field.reading.ofRow?(row, word.slot) { return value }
            return DumpWord(row.isNull(word.slot) ? "nil" : "not readable")
        case .virtual:
            // A value may refer to the object itself, so only plain values are shown.
            guard let value = attachment?.virtualValues?[word.slot] else { return DumpWord("not set") }
            return value is any FieldStorableType ? value : DumpWord("a value of type \(type(of: value))")
        case .relationship:
            let relationship = layout.relationships[word.slot]
            // The name of the root entity, as in the ids of objects.
            let entity = layout.entities[layout.entities[relationship.destination].root].name
            if case .reference(let slot, _) = relationship.storage {
                return DumpWord(row.isNull(slot) ? "nil" : "\(entity)#\(row.integer(slot))")
            }
            guard let keys = attachment?.relatedKeys[word.slot]?.keys else { return DumpWord("not loaded") }
            let shown = keys.prefix(DumpTree.elementLimit).map { "\(entity)#\($0)" }
            return DumpWord(DumpTree.text(list: shown, count: keys.count))
        }
    }
}
