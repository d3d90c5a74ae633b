/// A node of a ``ListTree``: a leaf with up to 64 entries, or a branch with up to 32 child nodes.
///
/// A node never changes. Changing a tree creates new nodes along one path and shares all the others.
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

    /// How full the node is.
    private var isSparse: Bool {
        isLeaf ? entries.count < Self.leafCapacity / 4 : children.count < Self.branchCapacity / 4
    }

    /// The nodes that take this one's place when a range of its entries is replaced.
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

    /// The fewest leaves that hold some entries, none of them much emptier than the others.
    static func leaves(_ entries: [ListEntry]) -> [ListNode] {
        split(entries, leafCapacity).map { ListNode(entries: Array($0)) }
    }

    /// The fewest branches that hold some nodes.
    static func branches(_ children: [ListNode]) -> [ListNode] {
        split(children, branchCapacity).map { ListNode(children: Array($0)) }
    }

    private static func split<Element>(_ elements: [Element], _ capacity: Int) -> [ArraySlice<Element>] {
        let parts = (elements.count + capacity - 1) / capacity
        return (0..<parts).map { elements[elements.count * $0 / parts..<elements.count * ($0 + 1) / parts] }
    }
}
