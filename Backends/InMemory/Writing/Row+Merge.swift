import CofferStorage
import CofferStorageTools

/// Merges columns of an inserted row into a stored row with the same unique values; drops unused bytes from copies.
extension Row {
    /// A copy to be stored, without the bytes of values that were written over.
    ///
    /// - Parameter tails: the slots whose values lie in the tail.
    func stored(_ tails: [Int]) -> RowBuilder {
        var live = 0
        for slot in tails where !isNull(slot) { live += withBytes(slot) { $0.count } }
        guard live < tailSize else { return RowBuilder(copying: self) }
        let copy = RowBuilder(entity: entity, key: key, version: version, slotCount: slotCount, tailCapacity: live)
        for slot in 0..<slotCount where !isNull(slot) {
            copy.copy(slot, tails.contains(slot) ? .blob : .integer, from: self)
        }
        return copy
    }
}

extension TableChanges {
    /// Writes the columns of an inserted row into the row that has its unique values.
    func merge(_ row: Row, into holder: Holder, _ check: RowCheck) {
        guard let place = place(of: holder), let current = changes[place].new else { return }
        let new = current.merged(row, ColumnSet(below: row.slotCount), check.layout.entities[current.entity].kinds)
        changes[place].write(new, isRefreshed: true, isIndexed: true)
        claim(place)
    }
}
