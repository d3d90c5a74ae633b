import CofferStorage

/// Describes a row in the message of a failure.
extension Row {
    /// The integer in a slot, such as a key or a place; nil for null.
    func number(in slot: Int) -> Int64? { isNull(slot) ? nil : integer(slot) }

    func values(_ kinds: [ColumnKind]) -> [Value] { kinds.indices.map { value($0, kinds[$0]) } }

    /// Returns the entity, key, version and values of a row, with the names of its columns.
    func shown(in layout: ModelLayout) -> String {
        let entity = layout.entities[entity]
        let values = zip(entity.columns, values(entity.kinds)).map { "\($0.name): \($1.shown)" }
        return "\(entity.name)#\(key) @\(version) [\(values.joined(separator: ", "))]"
    }
}
