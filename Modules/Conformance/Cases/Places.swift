import CofferStorage

/// The cases about the places of members in ordered relationships.
extension ConformanceCase {
    /// The places of the members of ordered relationships.
    static let places: [ConformanceCase] = [
        ConformanceCase("relationships/equal-places", "Members with the same place come in the order of their keys.") {
            let town = try $0.town()
            try town.session.commit { changes in
                try changes.links.append(town.favorite("Ann", "Ulysses", bookPlace: 1, readerPlace: 0))
                try changes.links.append(town.favorite("Cleo", "Dune", bookPlace: 0, readerPlace: 1))
            }
            try expectEqual(
                try town.names(town.person, "favorites", of: "Ann"), ["Emma", "Dune", "Ulysses"], "Ann's favorites")
            try expectEqual(try town.names(town.book, "readers", of: "Dune"), ["Bob", "Ann", "Cleo"], "Dune's readers")
        },
        ConformanceCase("relationships/move", "Moving a link sets the places that are given, and leaves the others.") {
            let town = try $0.town()
            try town.session.commit { changes in
                var link = try town.favorite("Ann", "Dune", bookPlace: -1, readerPlace: 0)
                (link.firstPosition, link.secondPosition) = try bookPlace(-1, in: town)
                changes.moves.append(link)
            }
            try expectEqual(try town.names(town.person, "favorites", of: "Ann"), ["Dune", "Emma"], "Ann's favorites")
            try expectEqual(try town.names(town.book, "readers", of: "Dune"), ["Bob", "Ann"], "Dune's readers")
            try town.session.commit { changes in
                try changes.links.append(town.favorite("Cleo", "Dune", bookPlace: 0, readerPlace: 7))
                try changes.moves.append(town.favorite("Cleo", "Dune", bookPlace: 0, readerPlace: -7))
                try changes.moves.append(town.favorite("Ann", "Emma", bookPlace: -9, readerPlace: 0))
            }
            try expectEqual(
                try town.names(town.book, "readers", of: "Dune"), ["Cleo", "Bob", "Ann"],
                "Dune's readers, with a link that was added and moved")
            try expectEqual(try town.names(town.person, "favorites", of: "Ann"), ["Emma", "Dune"], "Ann's favorites")
        },
        ConformanceCase("relationships/move-keeps-removed", "Moving a link that does not exist does not add it.") {
            let town = try $0.town()
            try town.session.commit { changes in
                try changes.unlinks.append(town.favorite("Ann", "Dune", bookPlace: 0, readerPlace: 0))
                try changes.moves.append(town.favorite("Ann", "Dune", bookPlace: 5, readerPlace: 5))
                try changes.moves.append(town.favorite("Eve", "Emma", bookPlace: 5, readerPlace: 5))
                try changes.moves.append(town.tagLink("Bob", "blue"))
            }
            try expectEqual(try town.names(town.person, "favorites", of: "Ann"), ["Emma"], "Ann's favorites")
            try expectEqual(try town.names(town.book, "readers", of: "Dune"), ["Bob"], "Dune's readers")
            try expectEqual(try town.names(town.person, "favorites", of: "Eve"), [], "Eve's favorites")
            try expectEqual(try town.names(town.creature, "tags", of: "Bob"), [], "Bob's tags")
        },
        ConformanceCase(
            "relationships/with-one-insert", "Links are added, moved and removed by a commit that also inserts one row."
        ) {
            let town = try $0.town()
            func commit(_ change: (inout ChangeSet) throws -> Void) throws {
                try town.session.commit { changes in
                    try changes.inserts.append(.init(row: town.tag.row(town.session.newKey("Tag"))))
                    try change(&changes)
                }
            }
            try commit { try $0.links.append(town.favorite("Ann", "Ulysses", bookPlace: 2, readerPlace: 0)) }
            try expectEqual(
                try town.names(town.person, "favorites", of: "Ann"), ["Emma", "Dune", "Ulysses"],
                "Ann's favorites, with one more")
            try commit { try $0.moves.append(town.favorite("Ann", "Dune", bookPlace: -1, readerPlace: 1)) }
            try expectEqual(
                try town.names(town.person, "favorites", of: "Ann"), ["Dune", "Emma", "Ulysses"],
                "Ann's favorites, one of which was moved")
            try commit { try $0.unlinks.append(town.favorite("Ann", "Emma", bookPlace: 0, readerPlace: 0)) }
            try expectEqual(
                try town.names(town.person, "favorites", of: "Ann"), ["Dune", "Ulysses"],
                "Ann's favorites, one of which was removed")
        },
        ConformanceCase(
            "relationships/members", "Members are the keys of the related rows in their order, with their places."
        ) {
            let town = try $0.town()
            func members(_ entity: TestEntity, _ name: String, _ owners: [String]) throws -> [String: [String]] {
                let index = try entity.relationship(name)
                let keys = try owners.map(town.key)
                let found = try town.session.store.read { reader throws(StorageError) in
                    try reader.members(index, of: keys)
                }
                let end = entity.end(of: index)
                var result: [String: [String]] = [:]
                for related in found where !related.members.isEmpty {
                    let owner = town.names([related.owner], in: entity)[0]
                    try expect(result[owner] == nil, "each owner once, and '\(owner)' came twice")
                    let places = related.members.map { $0.place.map { " \($0)" } ?? "" }
                    let names = town.names(related.members.map(\.key), in: end)
                    result[owner] = zip(names, places).map { $0 + $1 }
                }
                return result
            }
            try expectEqual(
                try members(town.person, "favorites", ["Bob", "Ann", "Cleo"]),
                ["Ann": ["Emma 0", "Dune 1"], "Bob": ["Dune 0"]], "favorites and their places")
            try expectEqual(
                try members(town.book, "readers", ["Dune", "Emma", "Ulysses"]),
                ["Dune": ["Bob 0", "Ann 1"], "Emma": ["Ann 0"]], "readers and their places")
            try expectEqual(
                try members(town.person, "pets", ["Ann", "Bob", "Cleo"]),
                ["Ann": ["Mia 0", "Rex 1"], "Bob": ["Tom 0"]],
                "pets and their places")
            try expectEqual(
                try members(town.creature, "tags", ["Ann", "Bob"]), ["Ann": ["red", "blue"]], "tags, without places")
            try expectEqual(
                try members(town.person, "friends", ["Ann", "Bob", "Dan"]),
                ["Ann": ["Bob", "Dan"], "Bob": ["Ann"], "Dan": ["Ann"]], "friends, both ways")
            try expectEqual(
                try members(town.person, "pupils", ["Ann", "Bob"]), ["Ann": ["Bob", "Cleo"], "Bob": ["Dan"]], "pupils")
            try expectEqual(try members(town.person, "favorites", []), [:], "the favorites of nobody")
        },
        ConformanceCase("relationships/last-places", "The last place of an owner is that of its last member.") {
            let town = try $0.town()
            func last(_ entity: TestEntity, _ name: String, _ owners: [String]) throws -> [Int64: Int64] {
                let (index, keys) = try (entity.relationship(name), owners.map(town.key))
                return try town.session.store.read { reader throws(StorageError) in
                    try reader.lastPlaces(index, of: keys)
                }
            }
            let (ann, bob, dune) = try (town.key("Ann"), town.key("Bob"), town.key("Dune"))
            try expectEqual(
                try last(town.person, "favorites", ["Ann", "Bob", "Eve"]), [ann: 1, bob: 0], "the last favorites")
            try expectEqual(try last(town.book, "readers", ["Dune", "Ulysses"]), [dune: 1], "the last reader")
            try expectEqual(try last(town.person, "pets", ["Ann", "Bob", "Cleo"]), [ann: 1, bob: 0], "the last pets")
            try expectEqual(try last(town.creature, "tags", ["Ann"]), [:], "the last of tags without an order")
        },
        ConformanceCase(
            "conditions/members", "What a relationship led to must be the same objects, in the same order."
        ) {
            let town = try $0.town()
            let favorites = try town.person.relationship("favorites")
            let (ann, emma, dune) = try (town.key("Ann"), town.key("Emma"), town.key("Dune"))
            func commit(_ members: [Int64]) throws {
                try town.session.commit { changes in
                    try changes.inserts.append(.init(row: town.tag.row(town.session.newKey("Tag"))))
                    changes.conditions.append(.members(relationship: favorites, owner: ann, members))
                }
            }
            try commit([emma, dune])
            let row = try town.session.row("Book", emma)
            try town.session.commit { changes in
                try changes.updates.append(town.book.update(row, ["pages": .integer(1)]))
                try changes.moves.append(town.favorite("Ann", "Emma", bookPlace: -3, readerPlace: 0))
                try changes.links.append(town.favorite("Eve", "Emma", bookPlace: 0, readerPlace: 1))
            }
            try commit([emma, dune])
            try town.session.commit { changes in
                try changes.moves.append(town.favorite("Ann", "Emma", bookPlace: 3, readerPlace: 0))
            }
            let error = try expectThrows(.conflict, "a commit after members changed places") {
                try commit([emma, dune])
            }
            try expect(error.message.contains("'Person.favorites'"), "the relationship in the message")
            try commit([dune, emma])
            try town.session.commit { changes in
                try changes.unlinks.append(town.favorite("Ann", "Emma", bookPlace: 0, readerPlace: 0))
            }
            try expectThrows(.conflict, "a commit after a member was removed") { try commit([dune, emma]) }
        },
    ]

    /// The places of a link of favorites that move the book alone.
    private static func bookPlace(_ place: Int64, in town: Town) throws -> (first: Int64?, second: Int64?) {
        let link = try town.person.link("favorites", 1, 2, place: place)
        return (link.firstPosition, link.secondPosition)
    }
}
