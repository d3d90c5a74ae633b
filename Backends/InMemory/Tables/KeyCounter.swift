import CofferStorage

/// Reserves new keys for each root entity, and throws `full` if no keys are left.
final class KeyCounter: Sendable {
    private let layout: ModelLayout
    private let next: Locked<[Int64]>

    init(_ layout: ModelLayout) {
        self.layout = layout
        next = Locked(Array(repeating: 1, count: layout.entities.count))
    }

    func reserve(_ count: Int, _ root: Int) throws(StorageError) -> Range<Int64> {
        guard layout.entities.indices.contains(root), layout.entities[root].root == root else {
            throw .invalidRequest("There is no root entity with index \(root) in version '\(layout.model.version)'.")
        }
        guard count >= 0 else { throw .invalidRequest("The number of keys to reserve must not be negative.") }
        let range: Range<Int64>? = next.withLock { next in
            let start = next[root]
            let (end, isTooFar) = start.addingReportingOverflow(Int64(count))
            if isTooFar { return nil }
            next[root] = end
            return start..<end
        }
        guard let range else {
            throw StorageError(.full, "There are no keys left for '\(layout.entities[root].name)'.")
        }
        return range
    }

    /// The first key that was not reserved yet, by root entity.
    var nextByRoot: [Int: Int64] {
        let next = next.withLock { $0 }
        let roots = layout.entities.filter { $0.root == $0.index }.map(\.index)
        return Dictionary(roots.map { ($0, next[$0]) }, uniquingKeysWith: { first, _ in first })
    }

    /// Excludes the keys of rows that were added without a reservation, such as copies from other stores.
    ///
    /// - Parameter highest: the highest of these keys, by root entity.
    func note(_ highest: [(root: Int, key: Int64)]) {
        next.withLock { next in
            for (root, key) in highest where key >= next[root] { next[root] = key == .max ? .max : key + 1 }
        }
    }
}
