package import CofferStorage

extension Row {
    /// Returns a copy with some columns of another row.
    package func merged(_ other: Row, _ columns: ColumnSet, _ kinds: [ColumnKind]) -> RowBuilder {
        var tail = 0
        for (slot, kind) in kinds.enumerated() where kind.isInTail {
            let source = columns.contains(slot) ? other : self
            if source.holds(slot) { tail += source.withBytes(slot) { $0.count } }
        }
        let copy = RowBuilder(entity: entity, key: key, version: version, slotCount: slotCount, tailCapacity: tail)
        for (slot, kind) in kinds.enumerated() {
            let source = columns.contains(slot) ? other : self
            if source.holds(slot) { copy.copy(slot, kind, from: source) }
        }
        return copy
    }
}
