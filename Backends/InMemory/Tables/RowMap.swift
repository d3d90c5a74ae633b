import CofferStorage

/// Stores rows by key in a persistent radix trie of 32-way nodes.
///
/// A copy shares every node. A write copies the nodes on the path to a row, unless this map is their only owner. Then
/// the write changes them in place. A commit therefore copies each changed node only once, and readers keep their
/// nodes.
// Sendable: a node is written only while the map of one writer is its only owner; after this time it is immutable.
struct RowMap: @unchecked Sendable {
    fileprivate(set) var count = 0
    private var root: RowNode?

    subscript(key: Int64) -> Row? {
        row(key)?.row
    }

    /// Returns the row with a key, without retaining it; it is valid while the map is alive and unchanged.
    func row(_ key: Int64) -> RowReference? {
        leaf(key)?._withUnsafeGuaranteedRef { $0.row(key) }
    }

    /// Returns the node that contains the row of a key; it is valid while the map is alive and unchanged.
    fileprivate func leaf(_ key: Int64) -> Unmanaged<RowNode>? {
        guard key >= 0, let root, key >> root.span == 0 else { return nil }
        var node = Unmanaged.passUnretained(root)
        var level = root.level
        while level > 0 {
            guard let next = node._withUnsafeGuaranteedRef({ $0.child(key, level) }) else { return nil }
            node = next
            level -= 1
        }
        return node
    }

    /// Stores a row under a key, which must not be negative, or removes the row; returns the previous row.
    @discardableResult
    mutating func set(_ row: Row?, _ key: Int64) -> Row? {
        if row == nil {
            guard self[key] != nil else { return nil }
        }
        if root == nil { root = RowNode.make(level: 0) }
        while let node = root, key >> node.span != 0 { root = RowNode.make(above: node) }
        let old = RowNode.set(&root, row, key)
        count += (row == nil ? 0 : 1) - (old == nil ? 0 : 1)
        return old
    }

    /// Calls the closure with every row, in the order of the keys, until it returns false.
    func forEach(_ body: (Row) -> Bool) { _ = root?.forEach(body) }
}

/// Changes many rows of a ``RowMap``; rows with neighbouring keys cost little.
struct RowMapEditor: ~Copyable {
    private(set) var map: RowMap
    /// The node of the last stored row, which only this map owns; `prefix` is the beginning of the keys in the node.
    private var leaf: Unmanaged<RowNode>?
    private var prefix: Int64 = -1

    init(_ map: RowMap) { self.map = map }

    /// Stores or removes a row, like ``RowMap/set(_:_:)``.
    mutating func set(_ row: Row?, _ key: Int64) -> Row? {
        guard let row else {
            leaf = nil
            return map.set(nil, key)
        }
        if let leaf, key >> RowNode.bits == prefix {
            let old = leaf._withUnsafeGuaranteedRef { $0.replace(row, key) }
            if old == nil { map.count += 1 }
            return old
        }
        let old = map.set(row, key)
        leaf = map.leaf(key)
        prefix = key >> RowNode.bits
        return old
    }
}

/// Looks up rows of a ``RowMap``; rows with neighbouring keys cost little.
struct RowLookup {
    private let map: RowMap
    private var leaf: Unmanaged<RowNode>?
    private var prefix: Int64 = -1

    init(_ map: RowMap) { self.map = map }

    /// Returns a row without retaining it, like ``RowMap/row(_:)``.
    mutating func row(_ key: Int64) -> RowReference? {
        if key >> RowNode.bits != prefix {
            leaf = map.leaf(key)
            prefix = key >> RowNode.bits
        }
        return leaf?._withUnsafeGuaranteedRef { $0.row(key) }
    }
}
