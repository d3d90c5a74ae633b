import CofferStorage

/// Copies rows without the bytes that no value uses.
extension Row {
    /// Returns a copy to store, without the bytes of overwritten values.
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
