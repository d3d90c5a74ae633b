import CofferStorage

/// The cases about the places of members in ordered relationships.
extension ConformanceCase {
    /// The places of the members of ordered relationships.
    static let places: [ConformanceCase] = [
        withTown("relationships/equal-places", "Members with the same place are sorted by key.") { town in
            try town.commit {
                try $0.links = [
                    town.favorite("Ann", "Ulysses", bookPlace: 1, readerPlace: 0),
                    town.favorite("Cleo", "Dune", bookPlace: 0, readerPlace: 1),
                ]
            }
            try town.expectRelated("favorites", ["Ann": ["Emma", "Dune", "Ulysses"]])
            try town.expectRelated("readers", ["Dune": ["Bob", "Ann", "Cleo"]])
        },
        withTown("relationships/move", "Moving a link sets the given places, and keeps the others.") { town in
            try town.commit { try $0.moves = [town.link("favorites", town.key("Ann"), town.key("Dune"), place: -1)] }
            try town.expectRelated("favorites", ["Ann": ["Dune", "Emma"]])
            try town.expectRelated("readers", ["Dune": ["Bob", "Ann"]])
            try town.commit {
                try $0.links = [town.favorite("Cleo", "Dune", bookPlace: 0, readerPlace: 7)]
                try $0.moves = [
                    town.favorite("Cleo", "Dune", bookPlace: 0, readerPlace: -7),
                    town.favorite("Ann", "Emma", bookPlace: -9, readerPlace: 0),
                ]
            }
            try town.expectRelated("readers", ["Dune": ["Cleo", "Bob", "Ann"]], "with a link that was added and moved")
            try town.expectRelated("favorites", ["Ann": ["Emma", "Dune"]])
        },
        withTown("relationships/move-keeps-removed", "Moving a missing link does not add it.") { town in
            try town.commit {
                try $0.unlinks = [town.favorite("Ann", "Dune")]
                try $0.moves = [
                    town.favorite("Ann", "Dune", bookPlace: 5, readerPlace: 5),
                    town.favorite("Eve", "Emma", bookPlace: 5, readerPlace: 5), town.tagLink("Bob", "blue"),
                ]
            }
            try town.expectRelated("favorites", ["Ann": ["Emma"], "Eve": []])
            try town.expectRelated("readers", ["Dune": ["Bob"]])
            try town.expectRelated("tags", ["Bob": []])
        },
        withTown(
            "relationships/with-one-insert", "A commit with one insert also adds, moves and removes links."
        ) { town in
            try town.commit {
                try $0.insert("Tag")
                try $0.links = [town.favorite("Ann", "Ulysses", bookPlace: 2)]
            }
            try town.expectRelated("favorites", ["Ann": ["Emma", "Dune", "Ulysses"]], "with one more")
            try town.commit {
                try $0.insert("Tag")
                try $0.moves = [town.favorite("Ann", "Dune", bookPlace: -1, readerPlace: 1)]
            }
            try town.expectRelated("favorites", ["Ann": ["Dune", "Emma", "Ulysses"]], "one of which was moved")
            try town.commit {
                try $0.insert("Tag")
                try $0.unlinks = [town.favorite("Ann", "Emma")]
            }
            try town.expectRelated("favorites", ["Ann": ["Dune", "Ulysses"]], "one of which was removed")
        },
        withTown(
            "relationships/members", "Members are the keys of the related rows in their order, with their places."
        ) { town in
            func expectMembers(_ name: String, of owners: [String], _ expected: [String: [String]]) throws {
                let (index, keys) = try (town.relationship(name), owners.map(town.key))
                let end = TestEntity(town.layout, endOf: index)
                let inverse = TestEntity(town.layout, endOf: town.layout.relationships[index].inverse)
                var found: [String: [String]] = [:]
                for related in try town.read({ try $0.members(index, of: keys) }) where !related.members.isEmpty {
                    let owner = town.names([related.owner], in: inverse)[0]
                    try expect(found[owner] == nil, "each owner once, and '\(owner)' was returned twice")
                    found[owner] = related.members.map { member in
                        town.names([member.key], in: end)[0] + (member.place.map { " \($0)" } ?? "")
                    }
                }
                try expectEqual(found, expected, "the '\(name)' of \(owners), with their places")
            }
            try expectMembers(
                "favorites", of: ["Bob", "Ann", "Cleo"], ["Ann": ["Emma 0", "Dune 1"], "Bob": ["Dune 0"]])
            try expectMembers(
                "readers", of: ["Dune", "Emma", "Ulysses"], ["Dune": ["Bob 0", "Ann 1"], "Emma": ["Ann 0"]])
            try expectMembers("pets", of: ["Ann", "Bob", "Cleo"], ["Ann": ["Mia 0", "Rex 1"], "Bob": ["Tom 0"]])
            try expectMembers("tags", of: ["Ann", "Bob"], ["Ann": ["red", "blue"]])
            try expectMembers(
                "friends", of: ["Ann", "Bob", "Dan"], ["Ann": ["Bob", "Dan"], "Bob": ["Ann"], "Dan": ["Ann"]])
            try expectMembers("pupils", of: ["Ann", "Bob"], ["Ann": ["Bob", "Cleo"], "Bob": ["Dan"]])
            try expectMembers("favorites", of: [], [:])
        },
        withTown("relationships/last-places", "The last place of an owner is that of its last member.") { town in
            func expectLast(_ name: String, of owners: [String], _ expected: [String: Int64]) throws {
                let (index, keys) = try (town.relationship(name), owners.map(town.key))
                let found = try town.read { try $0.lastPlaces(index, of: keys) }
                var places: [Int64: Int64] = [:]
                for (owner, place) in expected { places[try town.key(owner)] = place }
                try expectEqual(found, places, "the last places of '\(name)' of \(owners)")
            }
            try expectLast("favorites", of: ["Ann", "Bob", "Eve"], ["Ann": 1, "Bob": 0])
            try expectLast("readers", of: ["Dune", "Ulysses"], ["Dune": 1])
            try expectLast("pets", of: ["Ann", "Bob", "Cleo"], ["Ann": 1, "Bob": 0])
            try expectLast("tags", of: ["Ann"], [:])
        },
        withTown(
            "conditions/members", "Related objects that were read must be the same objects in the same order."
        ) { town in
            let (ann, emma, dune) = try (town.key("Ann"), town.key("Emma"), town.key("Dune"))
            func require(_ members: [Int64], _ changes: inout Changes) throws {
                try changes.insert("Tag")
                changes.conditions = [.members(relationship: try town.relationship("favorites"), owner: ann, members)]
            }
            try town.commit { try require([emma, dune], &$0) }
            try town.commit {
                try $0.update("Emma", ["pages": .integer(1)])
                try $0.moves = [town.favorite("Ann", "Emma", bookPlace: -3)]
                try $0.links = [town.favorite("Eve", "Emma", bookPlace: 0, readerPlace: 1)]
            }
            try town.commit { try require([emma, dune], &$0) }
            try town.commit { try $0.moves = [town.favorite("Ann", "Emma", bookPlace: 3)] }
            try town.expectRefused(
                .conflict, naming: ["'Person.favorites'"], "a commit after members changed places"
            ) { try require([emma, dune], &$0) }
            try town.commit { try require([dune, emma], &$0) }
            try town.commit { try $0.unlinks = [town.favorite("Ann", "Emma")] }
            try town.expectRefused(.conflict, "a commit after a member was removed") { try require([dune, emma], &$0) }
        },
    ]
}
