import CofferStorage

/// Rows by key: a persistent radix trie of 32-way nodes.
///
/// A copy shares every node. Writing copies the nodes on the way to a row unless this map is their only owner, in which
/// case it changes them in place; so a commit pays once for each node it touches and readers are never disturbed.
struct RowMap: Sendable {
    private(set) var count = 0
    private var root: Node?

    subscript(key: Int64) -> Row? {
        guard let slot = address(key) else { return nil }
        return slot.pointee
    }

    /// Where the row with a key lies, valid while the map is alive and unchanged.
    func address(_ key: Int64) -> UnsafePointer<Row>? {
        guard key >= 0, let root, key >> root.span == 0 else { return nil }
        var node = Unmanaged.passUnretained(root)
        while true {
            let step: (next: Unmanaged<Node>?, row: UnsafePointer<Row>?) = node._withUnsafeGuaranteedRef { node in
                let place = node.place(key)
                guard node.bitmap & (1 << UInt32(place)) != 0 else { return (nil, nil) }
                if node.level == 0 {
                    return (nil, UnsafeRawPointer(node.rows + place).assumingMemoryBound(to: Row.self))
                }
                let child = UnsafeRawPointer(node.nodes + place).load(as: Unmanaged<Node>?.self)
                return (child, nil)
            }
            guard let next = step.next else { return step.row }
            node = next
        }
    }

    /// Puts a row under a key, which must not be negative, or removes it; returns what was there.
    @discardableResult
    mutating func set(_ row: Row?, _ key: Int64) -> Row? {
        if row == nil {
            guard self[key] != nil else { return nil }
        }
        if root == nil { root = Node(level: 0) }
        while let node = root, key >> node.span != 0 {
            let parent = Node(level: node.level + 1)
            if node.bitmap != 0 {
                parent.nodes[0] = node
                parent.bitmap = 1
            }
            root = parent
        }
        let old = Node.set(&root, row, key)
        count += (row == nil ? 0 : 1) - (old == nil ? 0 : 1)
        return old
    }

    /// Calls the closure with every row, in the order of the keys, until it returns false.
    func forEach(_ body: (Row) -> Bool) {
        _ = root?.forEach(body)
    }
}

/// One node of a ``RowMap``: level 0 holds rows, the others hold nodes.
// Sendable: written only while one map, in one writer's hands, is its only owner; immutable from then on.
private final class Node: @unchecked Sendable {
    static let width = 32

    let level: Int
    var bitmap: UInt32 = 0
    private let slots: UnsafeMutableRawPointer

    init(level: Int) {
        self.level = level
        let size = Node.width * MemoryLayout<UnsafeRawPointer>.stride
        slots = .allocate(byteCount: size, alignment: MemoryLayout<UnsafeRawPointer>.alignment)
        if level == 0 {
            slots.bindMemory(to: Row?.self, capacity: Node.width).initialize(repeating: nil, count: Node.width)
        } else {
            slots.bindMemory(to: Node?.self, capacity: Node.width).initialize(repeating: nil, count: Node.width)
        }
    }

    deinit {
        if level == 0 {
            rows.deinitialize(count: Node.width)
        } else {
            nodes.deinitialize(count: Node.width)
        }
        slots.deallocate()
    }

    /// Valid on level 0.
    var rows: UnsafeMutablePointer<Row?> { slots.assumingMemoryBound(to: Row?.self) }
    /// Valid above level 0.
    var nodes: UnsafeMutablePointer<Node?> { slots.assumingMemoryBound(to: Node?.self) }
    /// How many low bits of a key the node and those below it tell apart.
    var span: Int64 { Int64(level + 1) * 5 }

    func place(_ key: Int64) -> Int { Int(truncatingIfNeeded: key >> (Int64(level) * 5)) & (Node.width - 1) }

    private func copy() -> Node {
        let copy = Node(level: level)
        copy.bitmap = bitmap
        var rest = bitmap
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest - 1
            if level == 0 { copy.rows[place] = rows[place] } else { copy.nodes[place] = nodes[place] }
        }
        return copy
    }

    static func set(_ slot: inout Node?, _ row: Row?, _ key: Int64) -> Row? {
        if !isKnownUniquelyReferenced(&slot) { slot = slot?.copy() }
        guard let node = slot else { return nil }
        let place = node.place(key)
        let bit: UInt32 = 1 << UInt32(place)
        var old: Row?
        if node.level == 0 {
            old = row
            swap(&old, &node.rows[place])
            if row == nil { node.bitmap &= ~bit } else { node.bitmap |= bit }
        } else {
            if node.bitmap & bit == 0 {
                node.nodes[place] = Node(level: node.level - 1)
                node.bitmap |= bit
            }
            old = set(&node.nodes[place], row, key)
            if node.nodes[place]?.bitmap == 0 {
                node.nodes[place] = nil
                node.bitmap &= ~bit
            }
        }
        return old
    }

    func forEach(_ body: (Row) -> Bool) -> Bool {
        var rest = bitmap
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest - 1
            if level == 0 {
                let address = UnsafeRawPointer(rows + place).assumingMemoryBound(to: Row.self)
                if !Row.withUnretained(address, body) { return false }
            } else if let node = nodes[place] {
                if !node.forEach(body) { return false }
            }
        }
        return true
    }
}
