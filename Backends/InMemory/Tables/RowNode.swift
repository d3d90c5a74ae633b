import CofferStorage

/// A node of a ``RowMap``: level 0 contains rows, and higher levels contain child nodes.
final class RowNode: ManagedBuffer<RowNode.Head, UnsafeRawPointer?> {
    struct Head {
        let level: Int
        /// The places that are not empty, as bits.
        var bitmap: UInt32
    }

    /// The number of bits of a key that select a place in a node.
    static let bits: Int64 = 5
    private static let width = 1 << Int(bits)

    static func make(level: Int) -> RowNode {
        let node = create(minimumCapacity: width) { _ in Head(level: level, bitmap: 0) }
        node.withUnsafeMutablePointerToElements { $0.initialize(repeating: nil, count: width) }
        return unsafeDowncast(node, to: RowNode.self)
    }

    /// Returns the parent of a node that has become too small for the keys.
    static func make(above node: RowNode) -> RowNode {
        let parent = make(level: node.level + 1)
        if node.bitmap != 0 {
            parent.nodes[0] = node
            parent.bitmap = 1
        }
        return parent
    }

    deinit {
        if level == 0 {
            forEachPlace { rows[$0]?.release() }
        } else {
            forEachPlace { nodes[$0] = nil }
        }
    }

    var level: Int { withUnsafeMutablePointerToHeader { $0.pointee.level } }
    private(set) var bitmap: UInt32 {
        get { withUnsafeMutablePointerToHeader { $0.pointee.bitmap } }
        set { withUnsafeMutablePointerToHeader { $0.pointee.bitmap = newValue } }
    }
    // A place is a word. It is empty, or it is a strong reference: on level 0 to a row, on other levels to a node.
    private var rows: UnsafeMutablePointer<RowReference?> {
        withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0).assumingMemoryBound(to: RowReference?.self) }
    }
    private var nodes: UnsafeMutablePointer<RowNode?> {
        withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0).assumingMemoryBound(to: RowNode?.self) }
    }

    /// Calls the closure with every place that is not empty, in order.
    private func forEachPlace(_ body: (Int) -> Void) {
        var rest = bitmap
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }

    /// The number of low bits of a key that select a place in the node and in the nodes below it.
    var span: Int64 { Int64(level + 1) * Self.bits }

    private static func place(_ key: Int64, _ level: Int) -> Int {
        Int(truncatingIfNeeded: key >> (Int64(level) * bits)) & (width - 1)
    }

    // The next two methods do not read the head, because it is on a separate cache line, which is rarely in the
    // cache.

    /// Returns the row with a key, which the node retains; the node must be on level 0.
    func row(_ key: Int64) -> RowReference? { rows[Self.place(key, 0)] }

    /// Returns the child node for a key; the node must be above level 0.
    ///
    /// - Parameter level: the level of this node.
    func child(_ key: Int64, _ level: Int) -> Unmanaged<RowNode>? {
        UnsafeRawPointer(nodes + Self.place(key, level)).load(as: Unmanaged<RowNode>?.self)
    }

    /// Replaces, adds or removes the row of a key, and returns the previous row.
    ///
    /// The node must be on level 0, and the caller must be its only owner.
    func replace(_ row: Row?, _ key: Int64) -> Row? {
        let place = Self.place(key, 0)
        let old = rows[place]
        rows[place] = row.map { RowReference(retaining: $0) }
        if row == nil { bitmap &= ~(1 << UInt32(place)) } else { bitmap |= 1 << UInt32(place) }
        return old?.taken()
    }

    private func copy() -> RowNode {
        let copy = Self.make(level: level)
        copy.bitmap = bitmap
        if level == 0 {
            forEachPlace { place in
                rows[place]?.retain()
                copy.rows[place] = rows[place]
            }
        } else {
            forEachPlace { copy.nodes[$0] = nodes[$0] }
        }
        return copy
    }

    /// Stores or removes the row of a key, in the node of a slot or below it; returns the previous row.
    static func set(_ slot: inout RowNode?, _ row: Row?, _ key: Int64) -> Row? {
        if !isKnownUniquelyReferenced(&slot) { slot = slot?.copy() }
        guard let node = slot else { return nil }
        if node.level == 0 { return node.replace(row, key) }
        let place = place(key, node.level)
        if node.nodes[place] == nil {
            node.nodes[place] = make(level: node.level - 1)
            node.bitmap |= 1 << UInt32(place)
        }
        let old = set(&node.nodes[place], row, key)
        if node.nodes[place]?.bitmap == 0 {
            node.nodes[place] = nil
            node.bitmap &= ~(1 << UInt32(place))
        }
        return old
    }

    /// Calls the closure with every row, by key, until it returns false; in this case, returns false.
    func forEach(_ body: (Row) -> Bool) -> Bool {
        var rest = bitmap
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest - 1
            if level == 0 {
                if let row = rows[place], !row.lent(body) { return false }
            } else if let node = nodes[place] {
                if !node.forEach(body) { return false }
            }
        }
        return true
    }
}
