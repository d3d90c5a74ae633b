import CofferStorage

/// Enumerates all links of a link table with the places of both sides, for migrations.
extension LinkTable {
    /// Calls the closure with every link, with the positions of both sides.
    func forEachLink(of table: Int, _ body: (ChangeSet.Link) -> Void) {
        var backwards: [[Int64]: Int64] = [:]
        backward.forEachLink { owner, other, position in
            if let position { backwards[[other, owner]] = position }
        }
        forward.forEachLink { owner, other, position in
            body(
                .init(
                    table: table, first: owner, second: other, firstPosition: position,
                    secondPosition: backwards[[owner, other]]))
        }
    }
}
