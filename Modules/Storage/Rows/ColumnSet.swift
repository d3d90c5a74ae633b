/// A set of slots, which is small and fast for an entity of up to 64 columns.
public struct ColumnSet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: Set<Int> = []

    /// No slots.
    public init() {}

    /// Every slot below `count`.
    public init(below count: Int) {
        for slot in 0..<count { insert(slot) }
    }

    /// The given slots.
    package init(_ slots: some Sequence<Int>) {
        for slot in slots { insert(slot) }
    }

    /// Whether there are no slots in the set.
    public var isEmpty: Bool { low == 0 && high.isEmpty }

    /// Whether a slot is in the set.
    public func contains(_ slot: Int) -> Bool {
        slot < 64 ? low & (1 << UInt64(slot)) != 0 : high.contains(slot)
    }

    /// Puts a slot into the set.
    public mutating func insert(_ slot: Int) {
        if slot < 64 { low |= 1 << UInt64(slot) } else { high.insert(slot) }
    }

    /// Takes a slot out of the set.
    public mutating func remove(_ slot: Int) {
        if slot < 64 { low &= ~(1 << UInt64(slot)) } else { high.remove(slot) }
    }

    /// Puts every slot of another set into this one.
    public mutating func formUnion(_ other: ColumnSet) {
        low |= other.low
        if !other.high.isEmpty { high.formUnion(other.high) }
    }

    /// Returns the first slot of the set that is null in a row; nil if no slot is null.
    package func firstNull(in row: Row) -> Int? {
        let nulls = low & row.nullWord
        if nulls != 0 { return nulls.trailingZeroBitCount }
        return high.isEmpty ? nil : high.filter(row.isNull).min()
    }

    /// Whether at least one slot is in both sets.
    package func intersects(_ other: ColumnSet) -> Bool {
        low & other.low != 0 || (!high.isEmpty && !high.isDisjoint(with: other.high))
    }

    package func intersection(_ other: ColumnSet) -> ColumnSet {
        var result = self
        result.low &= other.low
        if !high.isEmpty { result.high.formIntersection(other.high) }
        return result
    }

    /// The slots in ascending order.
    public var slots: [Int] {
        var slots: [Int] = []
        slots.reserveCapacity(low.nonzeroBitCount + high.count)
        forEachSlot { slots.append($0) }
        return slots
    }

    /// Calls the closure with each slot in ascending order, without creating an array of slots.
    package func forEachSlot<Failure>(_ body: (Int) throws(Failure) -> Void) throws(Failure) {
        var rest = low
        while rest != 0 {
            try body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
        guard !high.isEmpty else { return }
        for slot in high.sorted() { try body(slot) }
    }
}
