/// Finds the gaps between two list trees: the ranges of entries that the trees do not share.
///
/// Between two gaps, the lists share at least one entry.
struct ListGap: Equatable {
    let old: Range<Int>
    let new: Range<Int>
}

extension ListTree {
    /// Returns the gaps between the nodes that this tree shares with another tree, in order.
    ///
    /// If one tree is an edited copy of the other, the trees share all nodes except those on the paths to the edits.
    /// The search does not visit the nodes below a shared node.
    func gaps(from old: ListTree) -> [ListGap] {
        var (oldNodes, newNodes) = ([old.root], [root])
        let (oldHeight, newHeight) = (old.root.height, root.height)
        for _ in 0..<max(0, oldHeight - newHeight) { oldNodes = oldNodes.flatMap(\.children) }
        for _ in 0..<max(0, newHeight - oldHeight) { newNodes = newNodes.flatMap(\.children) }
        var search = GapSearch()
        search.compare(oldNodes, newNodes)
        return search.gaps
    }

    /// Calls the closure with the entries at some places, in order.
    func forEach(in range: Range<Int>, _ body: (ListEntry) -> Void) { Self.forEach(root, range, body) }

    private static func forEach(_ node: ListNode, _ range: Range<Int>, _ body: (ListEntry) -> Void) {
        guard !range.isEmpty else { return }
        for entry in node.entries[range.clamped(to: node.entries.indices)] { body(entry) }
        var start = 0
        for child in node.children {
            let places = start..<start + child.summary.count
            start = places.upperBound
            guard places.overlaps(range) else { continue }
            let part = range.clamped(to: places)
            forEach(child, part.lowerBound - places.lowerBound..<part.upperBound - places.lowerBound, body)
        }
    }
}

extension ListNode {
    /// The number of levels below the node, which is the same for all of its leaves.
    fileprivate var height: Int { children.first.map { $0.height + 1 } ?? 0 }
}

/// Walks down two trees together, from one level to the next.
private struct GapSearch {
    private(set) var gaps: [ListGap] = []
    private var places = (old: 0, new: 0)

    /// Compares nodes of one level.
    mutating func compare(_ old: [ListNode], _ new: [ListNode]) {
        var oldIndexes: [ObjectIdentifier: Int] = [:]
        for (index, node) in old.enumerated() { oldIndexes[ObjectIdentifier(node)] = index }
        var start = (old: 0, new: 0)
        for (index, node) in new.enumerated() where node.summary.count > 0 {
            guard let match = oldIndexes[ObjectIdentifier(node)], match >= start.old else { continue }
            open(old[start.old..<match], new[start.new..<index])
            places.old += node.summary.count
            places.new += node.summary.count
            start = (match + 1, index + 1)
        }
        open(old[start.old...], new[start.new...])
    }

    /// Compares consecutive nodes of one level, which the two lists do not share.
    private mutating func open(_ old: ArraySlice<ListNode>, _ new: ArraySlice<ListNode>) {
        if let first = old.first, !new.isEmpty, !first.isLeaf {
            return compare(old.flatMap(\.children), new.flatMap(\.children))
        }
        let counts = (
            old: old.reduce(0) { $0 + $1.summary.count }, new: new.reduce(0) { $0 + $1.summary.count }
        )
        guard counts.old + counts.new > 0 else { return }
        gaps.append(
            ListGap(old: places.old..<places.old + counts.old, new: places.new..<places.new + counts.new))
        places.old += counts.old
        places.new += counts.new
    }
}
