/// A node of an ``EntryTree``, with methods that search, insert, remove, split and join.
///
/// For each child, an inner node contains an entry. This entry is not after any entry of the child, and it is after
/// all entries of the previous child.
// Sendable: a node is written only while the tree of one writer is its only owner; after this time it is immutable.
final class EntryNode: @unchecked Sendable {
    /// The maximum number of entries of a node.
    static let capacity = 64
    /// The number of entries of a node that is created in bulk; the node has room for more entries.
    static let filled = 48
    /// The minimum number of entries; a node with fewer is joined with its neighbour if both fit into one node.
    private static let sparse = 16

    private(set) var entries: ContiguousArray<Entry>
    private(set) var children: ContiguousArray<EntryNode>

    init(entries: ContiguousArray<Entry>, children: ContiguousArray<EntryNode>) {
        self.entries = entries
        self.children = children
    }

    /// Returns the number of entries before the first entry for which the condition is false.
    ///
    /// For all later entries, the condition is also false.
    @inline(__always)
    private func partition(_ isBefore: (Entry) -> Bool) -> Int {
        entries.withUnsafeBufferPointer { entries in
            var low = 0
            var high = entries.count
            while low < high {
                let middle = (low + high) >> 1
                if isBefore(entries[middle]) { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// Returns the index of the child whose range contains the entry.
    private func child(_ entry: Entry, _ precedes: (Entry, Entry) -> Bool) -> Int {
        max(partition { !precedes(entry, $0) } - 1, 0)
    }

    private static func own(_ slot: inout EntryNode) -> EntryNode {
        if !isKnownUniquelyReferenced(&slot) {
            slot = EntryNode(entries: slot.entries, children: slot.children)
        }
        return slot
    }

    /// Inserts an entry; returns whether the entry is new, and the right half of the node if it was split.
    static func insert(
        _ slot: inout EntryNode, _ entry: Entry, _ precedes: (Entry, Entry) -> Bool
    ) -> (isNew: Bool, split: EntryNode?) {
        own(&slot).insert(entry, precedes)
    }

    private func insert(
        _ entry: Entry, _ precedes: (Entry, Entry) -> Bool
    ) -> (isNew: Bool, split: EntryNode?) {
        if children.isEmpty {
            let place = partition { precedes($0, entry) }
            if place < entries.count, !precedes(entry, entries[place]) { return (false, nil) }
            entries.insert(entry, at: place)
        } else {
            let place = child(entry, precedes)
            let (isNew, split) = Self.own(&children[place]).insert(entry, precedes)
            if precedes(entry, entries[place]) { entries[place] = entry }
            guard let split else { return (isNew, nil) }
            children.insert(split, at: place + 1)
            entries.insert(split.entries[0], at: place + 1)
        }
        return (true, entries.count > Self.capacity ? split() : nil)
    }

    private func split() -> EntryNode {
        let middle = entries.count / 2
        let right = EntryNode(
            entries: ContiguousArray(entries[middle...]),
            children: children.isEmpty ? [] : ContiguousArray(children[middle...])
        )
        entries.removeSubrange(middle...)
        if !children.isEmpty { children.removeSubrange(middle...) }
        return right
    }

    /// Removes an entry; returns whether the entry was in the tree.
    static func remove(_ slot: inout EntryNode, _ entry: Entry, _ precedes: (Entry, Entry) -> Bool) -> Bool {
        own(&slot).remove(entry, precedes)
    }

    private func remove(_ entry: Entry, _ precedes: (Entry, Entry) -> Bool) -> Bool {
        if children.isEmpty {
            let place = partition { precedes($0, entry) }
            guard place < entries.count, !precedes(entry, entries[place]) else { return false }
            entries.remove(at: place)
            return true
        }
        let place = child(entry, precedes)
        guard Self.own(&children[place]).remove(entry, precedes) else { return false }
        // A bound must be an existing entry, because a comparison may need the row of the entry.
        if let first = children[place].entries.first { entries[place] = first }
        if children[place].entries.isEmpty {
            children.remove(at: place)
            entries.remove(at: place)
        } else if children[place].entries.count < Self.sparse, children.count > 1 {
            join(place > 0 ? place - 1 : place)
        }
        return true
    }

    /// Joins a child with the next child if both fit into one node.
    private func join(_ place: Int) {
        let right = children[place + 1]
        guard children[place].entries.count + right.entries.count <= Self.filled else { return }
        let left = Self.own(&children[place])
        left.entries.append(contentsOf: right.entries)
        left.children.append(contentsOf: right.children)
        children.remove(at: place + 1)
        entries.remove(at: place + 1)
    }

    func walk(_ isBefore: (Entry) -> Bool, _ body: (Entry) -> Bool) -> Bool {
        let start = partition(isBefore)
        guard !children.isEmpty else {
            for place in start..<entries.count where !body(entries[place]) { return false }
            return true
        }
        var place = max(start - 1, 0)
        while place < children.count {
            if !children[place].walk(isBefore, body) { return false }
            place += 1
        }
        return true
    }

    func walkBackwards(_ isIn: (Entry) -> Bool, _ body: (Entry) -> Bool) -> Bool {
        var place = partition(isIn) - 1
        while place >= 0 {
            if children.isEmpty {
                if !body(entries[place]) { return false }
            } else if !children[place].walkBackwards(isIn, body) {
                return false
            }
            place -= 1
        }
        return true
    }
}
