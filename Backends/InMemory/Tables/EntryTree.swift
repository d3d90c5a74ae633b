/// A sorted index of entries: a persistent B+ tree, whose copies share unchanged nodes.
///
/// Each call passes the order, which must always be the same.
struct EntryTree: Sendable {
    typealias Order = (Entry, Entry) -> Bool

    private(set) var count = 0
    private var root: EntryNode

    init() { root = EntryNode(entries: [], children: []) }

    /// Creates a tree from entries that are in order.
    init(sorted entries: some RandomAccessCollection<Entry>) {
        count = entries.count
        var level: [EntryNode] = []
        var start = entries.startIndex
        while start < entries.endIndex {
            let end = entries.index(start, offsetBy: EntryNode.filled, limitedBy: entries.endIndex) ?? entries.endIndex
            level.append(EntryNode(entries: ContiguousArray(entries[start..<end]), children: []))
            start = end
        }
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: EntryNode.filled).map { start in
                let children = ContiguousArray(level[start..<min(start + EntryNode.filled, level.count)])
                return EntryNode(entries: ContiguousArray(children.map { $0.entries[0] }), children: children)
            }
        }
        root = level.first ?? EntryNode(entries: [], children: [])
    }

    /// Adds entries that are not in the tree; `entries` must be in order.
    mutating func insert(sorted entries: [Entry], by precedes: Order) {
        guard !entries.isEmpty else { return }
        if entries.count < count / 4 || (count > 0 && entries.count < 8) {
            for entry in entries { insert(entry, by: precedes) }
            return
        }
        if count == 0 {
            self = EntryTree(sorted: entries)
            return
        }
        var merged: [Entry] = []
        merged.reserveCapacity(count + entries.count)
        var next = 0
        walk { old in
            while next < entries.count, precedes(entries[next], old) {
                merged.append(entries[next])
                next += 1
            }
            merged.append(old)
            return true
        }
        merged.append(contentsOf: entries[next...])
        self = EntryTree(sorted: merged)
    }

    /// Adds an entry, unless it is in the tree.
    mutating func insert(_ entry: Entry, by precedes: Order) {
        let (isNew, split) = EntryNode.insert(&root, entry, precedes)
        if isNew { count += 1 }
        if let split { root = EntryNode(entries: [root.entries[0], split.entries[0]], children: [root, split]) }
    }

    /// Removes an entry, if it is in the tree.
    @discardableResult
    mutating func remove(_ entry: Entry, by precedes: Order) -> Bool {
        guard EntryNode.remove(&root, entry, precedes) else { return false }
        count -= 1
        while root.children.count == 1 { root = root.children[0] }
        return true
    }

    /// Removes the entries that are in the tree; `entries` must be in order.
    mutating func remove(sorted entries: [Entry], by precedes: Order) {
        if entries.count < count / 16 || entries.count < 8 {
            for entry in entries { remove(entry, by: precedes) }
            return
        }
        var rest: [Entry] = []
        rest.reserveCapacity(count)
        var next = 0
        walk { old in
            while next < entries.count, entries[next] != old, precedes(entries[next], old) { next += 1 }
            if next < entries.count, entries[next] == old { next += 1 } else { rest.append(old) }
            return true
        }
        self = EntryTree(sorted: rest)
    }

    /// Calls the closure with the entries in order, until the closure returns false.
    ///
    /// The first entry is the first one for which `isBefore` is false.
    func walk(from isBefore: (Entry) -> Bool = { _ in false }, _ body: (Entry) -> Bool) {
        _ = root.walk(isBefore, body)
    }

    /// Calls the closure with the entries in reverse order, until the closure returns false.
    ///
    /// The first entry is the last one for which `isIn` is true.
    func walkBackwards(from isIn: (Entry) -> Bool = { _ in true }, _ body: (Entry) -> Bool) {
        _ = root.walkBackwards(isIn, body)
    }
}
