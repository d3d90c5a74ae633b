import CofferStorage

/// The cases about the order of members of merged rows in ordered relationships.
extension ConformanceCase {
    /// The order of the members of rows that inserts were merged into.
    static let mergedMembers: [ConformanceCase] = [
        ConformanceCase(
            "merging/appends-links",
            "The members that a merged row has in an ordered relationship come after those of the surviving row."
        ) {
            let town = try $0.town()
            let keys = Array(try town.session.reserve("Book", 3))
            func readers(_ key: Int64) throws -> [String] {
                town.names(try town.session.related(town.book.relationship("readers"), of: key), in: town.person)
            }
            try town.session.commit { changes in
                let rows: [[String: Value]] = [
                    ["title": .text("D"), "isbn": .text("1")], ["title": .text("E"), "isbn": .text("7")],
                    ["title": .text("F"), "isbn": .text("7")],
                ]
                for (key, values) in zip(keys, rows) {
                    try changes.inserts.append(.init(row: town.book.row(key, values)))
                }
                try changes.unlinks.append(town.favorite("Bob", "Dune", bookPlace: 0, readerPlace: 0))
                let links: [(String, Int64, Int64)] = [
                    ("Cleo", keys[0], 5), ("Bob", keys[0], 7), ("Ann", keys[0], 9), ("Eve", keys[0], -3),
                    ("Ann", keys[1], 4), ("Bob", keys[1], 6), ("Cleo", keys[2], 5), ("Ann", keys[2], 9),
                    ("Dan", keys[2], 1),
                ]
                for (name, key, place) in links {
                    try changes.links.append(
                        town.person.link("favorites", town.key(name), key, place: place, inversePlace: place))
                }
            }
            try expectEqual(try readers(town.key("Dune")), ["Ann", "Eve", "Cleo", "Bob"], "Dune's readers")
            try expectEqual(try readers(keys[1]), ["Ann", "Bob", "Dan", "Cleo"], "the readers of the earlier insert")
        },
        ConformanceCase(
            "merging/appends-references",
            "Rows that refer to a merged row and have places in its ordered relationship come after those of the surviving row."
        ) {
            let session = try $0.open()
            let (owner, member) = (try session.entity("order"), try session.entity("Order"))
            let unique: [String: Value] = ["id": .integer(1), "ID": .integer(1)]
            let stored = try session.insert("order", unique)
            func insert(_ name: String, _ owner: Int64?, _ place: Int64) throws -> Int64 {
                var values: [String: Value] = ["select": .text(name)]
                if let owner { (values["by"], values["by position"]) = (.integer(owner), .integer(place)) }
                return try session.insert("Order", values)
            }
            let (a, b, free) = (try insert("a", stored, 4), try insert("b", stored, 8), try insert("free", nil, 0))
            let row = try session.row("Order", free)
            for policy in [UniqueConstraintPolicy.merge, .keepStored] {
                let merged = try session.newKey("order")
                let fresh = Array(try session.reserve("Order", 2))
                let before = try session.related(owner.relationship("where"), of: stored)
                let result = try session.commit { changes in
                    changes.uniqueConstraintPolicies = [owner.entity.root: [policy]]
                    try changes.inserts.append(.init(row: owner.row(merged, unique)))
                    for (key, place) in [(fresh[0], Int64(6)), (fresh[1], -2)] {
                        try changes.inserts.append(
                            .init(row: member.row(key, ["by": .integer(merged), "by position": .integer(place)])))
                    }
                    guard policy == .merge else { return }
                    try changes.updates.append(
                        member.update(row, ["by": .integer(merged), "by position": .integer(0)]))
                }
                let expected = before + [fresh[1]] + (policy == .merge ? [free] : []) + [fresh[0]]
                try expectEqual(
                    try session.related(owner.relationship("where"), of: stored), expected, "the members with \(policy)"
                )
                for key in expected.dropFirst(before.count) {
                    let now = try session.row("Order", key)
                    let told = result.refreshed.filter { $0.entity == member.entity.index && $0.key == key }
                    try expectEqual(
                        told.map { $0.values(member.entity.kinds) }, [now.values(member.entity.kinds)], "the row told")
                    try expectEqual(told.map(\.version), [now.version], "the version told")
                }
            }
            try expectEqual(
                Array(try session.related(owner.relationship("where"), of: stored).prefix(2)), [a, b],
                "the stored members")
        },
    ]
}
