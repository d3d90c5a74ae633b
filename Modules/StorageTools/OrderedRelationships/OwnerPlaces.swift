/// A sorted list of the owners of a relationship, which finds the place of an owner in the list.
package struct OwnerPlaces {
    /// The keys of the owners, ascending and without repetitions.
    @usableFromInline package let owners: [Int64]
    /// The first of the owners; 0 if there is none.
    @usableFromInline package let first: Int64
    /// The place of each key from the first owner to the last, -1 for none; empty if the keys are far from each other.
    @usableFromInline package let table: [Int32]

    /// - Parameter owners: the keys of the owners, ascending and without repetitions.
    package init(_ owners: [Int64]) {
        self.owners = owners
        self.first = owners.first ?? 0
        guard let first = owners.first, let last = owners.last,
            case let span = last.subtractingReportingOverflow(first), !span.overflow,
            span.partialValue / 8 < Int64(owners.count), owners.count < Int(Int32.max)
        else {
            table = []
            return
        }
        var table = [Int32](repeating: -1, count: Int(span.partialValue) + 1)
        for (place, owner) in owners.enumerated() { table[Int(owner - first)] = Int32(truncatingIfNeeded: place) }
        self.table = table
    }

    /// Returns the place of an owner; nil for any other key.
    @inlinable
    @inline(__always)
    package func place(of owner: Int64) -> Int? {
        guard !table.isEmpty else { return searchedPlace(of: owner) }
        let offset = UInt64(bitPattern: owner &- first)
        guard offset < UInt64(table.count), case let place = table[Int(offset)], place >= 0 else { return nil }
        return Int(place)
    }

    @usableFromInline
    func searchedPlace(of owner: Int64) -> Int? {
        guard let last = owners.last, owner >= first, owner <= last else { return nil }
        var (low, high) = (0, owners.count)
        while low < high {
            let middle = (low + high) / 2
            if owners[middle] < owner { low = middle + 1 } else { high = middle }
        }
        return owners[low] == owner ? low : nil
    }
}
