/// A node of a ``ListTree``: a leaf with up to 64 entries, or a branch with up to 32 child nodes.
///
/// A node never changes. A change of a tree creates new nodes along one path and shares all other nodes.
final class ListNode: Sendable {
    static let leafCapacity = 64
    static let branchCapacity = 32

    /// Empty in a branch.
    let entries: [ListEntry]
    /// Empty in a leaf.
    let children: [ListNode]
    let summary: ListSummary

    init(entries: [ListEntry]) {
        self.entries = entries
        children = []
        summary = entries.reduce(into: ListSummary()) { $0.append($1.section) }
    }

    init(children: [ListNode]) {
        entries = []
        self.children = children
        summary = children.reduce(into: ListSummary()) { $0.append($1.summary) }
    }

    var isLeaf: Bool { children.isEmpty }

    /// Whether the node is less than a quarter full.
    private var isSparse: Bool {
        isLeaf ? entries.count < Self.leafCapacity / 4 : children.count < Self.branchCapacity / 4
    }

    /// Returns the nodes that replace this node if a range of its entries is replaced.
    ///
    /// - Parameter range: empty, or within one leaf.
    func replacing(_ range: Range<Int>, with new: [ListEntry]) -> [ListNode] {
        guard !isLeaf else {
            var entries = entries
            entries.replaceSubrange(range, with: new)
            return Self.leaves(entries)
        }
        var (index, start) = (0, 0)
        // An insertion between two children goes to the first of them.
        while index < children.count - 1, start + children[index].summary.count < max(range.upperBound, 1) {
            start += children[index].summary.count
            index += 1
        }
        let replaced = children[index].replacing(range.lowerBound - start..<range.upperBound - start, with: new)
        var children = children
        children.replaceSubrange(index...index, with: replaced)
        if replaced.count == 1, replaced[0].isSparse { Self.merge(&children, at: index) }
        return Self.branches(children)
    }

    /// Joins a sparse node with a neighbour.
    private static func merge(_ children: inout [ListNode], at index: Int) {
        guard children.count > 1 else { return }
        let first = index > 0 ? index - 1 : index
        let (left, right) = (children[first], children[first + 1])
        let joined =
            left.isLeaf ? leaves(left.entries + right.entries) : branches(left.children + right.children)
        children.replaceSubrange(first...first + 1, with: joined)
    }

    /// Returns the smallest number of leaves for some entries, with similar numbers of entries in all leaves.
    static func leaves(_ entries: [ListEntry]) -> [ListNode] {
        split(entries, leafCapacity).map { ListNode(entries: Array($0)) }
    }

    /// Returns the smallest number of branches for some nodes.
    static func branches(_ children: [ListNode]) -> [ListNode] {
        split(children, branchCapacity).map { ListNode(children: Array($0)) }
    }

    private static func split<Element>(_ elements: [Element], _ capacity: Int) -> [ArraySlice<Element>] {
        let parts = (elements.count + capacity - 1) / capacity
        return (0..<parts).map { elements[elements.count * $0 / parts..<elements.count * ($0 + 1) / parts] }
    }
}
