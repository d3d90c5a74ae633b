import CofferEvaluation
import CofferStorage

/// A persistent tree with the ordered entries of an observed list; counts runs of neighbouring entries in one section.
///
/// Lookups, insertions, removals and copies take logarithmic time or less, and copies share their common nodes. A
/// list of 100,000 objects can therefore provide a snapshot at every commit.
struct ListTree: Sendable {
    private(set) var root: ListNode

    init(_ entries: [ListEntry] = []) {
        var nodes = ListNode.leaves(entries)
        while nodes.count > 1 { nodes = ListNode.branches(nodes) }
        root = nodes.first ?? ListNode(entries: [])
    }

    var count: Int { root.summary.count }

    var indices: Range<Int> { 0..<count }

    /// The number of runs of one section; 1 for a list without sections that is not empty.
    var runCount: Int { root.summary.runs }

    subscript(index: Int) -> ListEntry {
        var (node, rest) = (root, index)
        while !node.isLeaf {
            var child = 0
            while rest >= node.children[child].summary.count {
                rest -= node.children[child].summary.count
                child += 1
            }
            node = node.children[child]
        }
        return node.entries[rest]
    }

    // MARK: Changing

    mutating func insert(_ entry: ListEntry, at index: Int) { replace(index..<index, with: [entry]) }

    mutating func remove(at index: Int) { replace(index..<index + 1, with: []) }

    mutating func replace(_ entry: ListEntry, at index: Int) { replace(index..<index + 1, with: [entry]) }

    private mutating func replace(_ range: Range<Int>, with new: [ListEntry]) {
        var nodes = root.replacing(range, with: new)
        while nodes.count > 1 { nodes = ListNode.branches(nodes) }
        root = nodes.first ?? ListNode(entries: [])
        while root.children.count == 1 { root = root.children[0] }
    }

    // MARK: Searching

    /// Returns the first place whose entry is not before the sought entry; the end if all entries are before it.
    func firstIndex(notBefore isBefore: (ListEntry) -> Bool) -> Int {
        Search.count(of: indices) { isBefore(self[$0]) }
    }

    /// Calls the closure with every entry, in order.
    func forEach(_ body: (ListEntry) -> Void) { forEach(in: indices, body) }

    /// Every entry, in order.
    var entries: [ListEntry] {
        var entries: [ListEntry] = []
        entries.reserveCapacity(count)
        forEach { entries.append($0) }
        return entries
    }

    // MARK: Sections

    /// Returns the run that contains an entry.
    func run(at index: Int) -> Int {
        var (node, rest, before) = (root, index, ListSummary())
        while !node.isLeaf {
            var child = 0
            while rest >= node.children[child].summary.count {
                before.append(node.children[child].summary)
                rest -= node.children[child].summary.count
                child += 1
            }
            node = node.children[child]
        }
        for entry in node.entries[0...rest] { before.append(entry.section) }
        return before.runs - 1
    }

    /// Returns the place where a run starts; for the number of runs, the end of the list.
    func start(ofRun run: Int) -> Int {
        guard run < runCount else { return count }
        var (node, before) = (root, ListSummary())
        while !node.isLeaf {
            for child in node.children {
                var through = before
                through.append(child.summary)
                if through.runs > run {
                    node = child
                    break
                }
                before = through
            }
        }
        for entry in node.entries {
            var through = before
            through.append(entry.section)
            if through.runs > run { break }
            before = through
        }
        return before.count
    }

    /// The places of a run.
    func places(ofRun run: Int) -> Range<Int> { start(ofRun: run)..<start(ofRun: run + 1) }

    /// The names of the runs.
    var runNames: [String] { (0..<runCount).map { self[start(ofRun: $0)].section?.text ?? "" } }
}
