import CofferStorage

/// The cases about the order of members of merged rows in ordered relationships.
extension ConformanceCase {
    /// The order of the members of surviving rows.
    static let mergedMembers: [ConformanceCase] = [
        withTown(
            "merging/appends-links",
            "The members of a merged row in an ordered relationship come after the members of the surviving row."
        ) { town in
            let keys = Array(try town.reserve("Book", 3))
            try town.commit { changes in
                for (key, isbn) in zip(keys, ["1", "7", "7"]) {
                    try changes.insert("Book", ["title": .text("title"), "isbn": .text(isbn)], key: key)
                }
                try changes.unlinks.append(town.favorite("Bob", "Dune"))
                let links: [(String, Int64, Int64)] = [
                    ("Cleo", keys[0], 5), ("Bob", keys[0], 7), ("Ann", keys[0], 9), ("Eve", keys[0], -3),
                    ("Ann", keys[1], 4), ("Bob", keys[1], 6), ("Cleo", keys[2], 5), ("Ann", keys[2], 9),
                    ("Dan", keys[2], 1),
                ]
                changes.links = try links.map { name, key, place in
                    try town.link("favorites", town.key(name), key, place: place, inversePlace: place)
                }
            }
            try town.expectRelated("readers", ["Dune": ["Ann", "Eve", "Cleo", "Bob"]])
            let readers = town.names(try town.related("readers", of: keys[1]), in: try town.person)
            try expectEqual(readers, ["Ann", "Bob", "Dan", "Cleo"], "the readers of the earlier insert")
        },
        withStore(
            "merging/appends-references",
            "Rows that refer to a merged row with an ordered inverse come after the members of the surviving row."
        ) { session in
            let unique: [String: Value] = ["id": .integer(1), "ID": .integer(1)]
            let stored = try session.insert("order", unique)
            func member(of owner: Int64, _ place: Int64) -> [String: Value] {
                ["by": .integer(owner), "by position": .integer(place)]
            }
            let members = try session.insert("Order", all: [member(of: stored, 4), member(of: stored, 8)])
            let free = try session.insert("Order")
            let row = try session.row("Order", free)
            for policy in [UniqueConstraintPolicy.merge, .keepStored] {
                let merged = try session.newKey("order")
                let fresh = Array(try session.reserve("Order", 2))
                let before = try session.related("where", of: stored)
                let result = try session.commit {
                    $0.uniqueConstraintPolicies = [try session.entity("order").entity.root: [policy]]
                    try $0.insert("order", unique, key: merged)
                    try $0.insert("Order", member(of: merged, 6), key: fresh[0])
                    try $0.insert("Order", member(of: merged, -2), key: fresh[1])
                    if policy == .merge { try $0.update(row, member(of: merged, 0)) }
                }
                let expected = before + [fresh[1]] + (policy == .merge ? [free] : []) + [fresh[0]]
                try expectEqual(try session.related("where", of: stored), expected, "the members with \(policy)")
                for key in expected.dropFirst(before.count) { try session.expectReported("Order", key, by: result) }
            }
            let first = Array(try session.related("where", of: stored).prefix(2))
            try expectEqual(first, members, "the stored members")
        },
    ]
}
