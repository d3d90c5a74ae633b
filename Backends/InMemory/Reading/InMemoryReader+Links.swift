import CofferStorage
import CofferStorageTools

/// Reads the links of many-to-many relationships, page by page, for copies and checks.
extension InMemoryReader {
    func links(
        _ table: Int, after last: ChangeSet.Link?, limit: Int
    ) throws(StorageError) -> [ChangeSet.Link] {
        let snapshot = try open().snapshot
        guard snapshot.links.indices.contains(table) else { throw .noLinkTable(table) }
        let layout = snapshot.layout.linkTables[table]
        let (forward, backward) = (snapshot.links[table].forward, snapshot.links[table].backward)
        var links: [ChangeSet.Link] = []
        guard limit > 0 else { return links }
        forward.forEachPair(after: last.map { ($0.first, $0.second) }) { first, second in
            // Kept both ways where the sides are the same.
            if layout.first == layout.second, first > second { return true }
            links.append(
                ChangeSet.Link(
                    table: table, first: first, second: second, firstPosition: forward.position(first, second),
                    secondPosition: backward.position(second, first)))
            return links.count < limit
        }
        return links
    }
}
