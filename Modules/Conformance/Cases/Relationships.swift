import CofferStorage

/// The cases about relationships: related rows, their order, and conditions on them.
extension ConformanceCase {
    /// Where relationships lead, in what order, and what conditions may say about it.
    static let relationships: [ConformanceCase] = [
        ConformanceCase(
            "relationships/one-to-many", "A one-to-many relationship leads to the rows that refer back, by key."
        ) {
            let town = try $0.town()
            try expectEqual(try town.names(town.person, "pupils", of: "Ann"), ["Bob", "Cleo"], "Ann's pupils")
            try expectEqual(try town.names(town.person, "pupils", of: "Bob"), ["Dan"], "Bob's, a row of a sub-entity")
            try expectEqual(try town.names(town.person, "pupils", of: "Eve"), [], "Eve's")
        },
        ConformanceCase("relationships/ordered-one-to-many", "An ordered one-to-many relationship comes in its order.")
        {
            let town = try $0.town()
            try expectEqual(try town.names(town.person, "pets", of: "Ann"), ["Mia", "Rex"], "Ann's pets")
            try town.session.commit { changes in
                let stray = try town.session.row("Pet", town.key("Stray"))
                try changes.updates.append(
                    town.pet.update(stray, ["owner": .integer(town.key("Ann")), "owner position": .integer(-5)]))
                let mia = try town.session.row("Pet", town.key("Mia"))
                try changes.updates.append(town.pet.update(mia, ["owner position": .integer(1)]))
            }
            try expectEqual(
                try town.names(town.person, "pets", of: "Ann"), ["Stray", "Rex", "Mia"],
                "Ann's pets: Stray at -5, Rex and Mia both at 1, so by key")
        },
        ConformanceCase(
            "relationships/many-owners", "One request leads from any number of owners, each owner's rows together."
        ) {
            try leadsFromManyOwners($0)
        },
        ConformanceCase(
            "relationships/row-by-row", "Related rows that are handed over one by one are those of the lists."
        ) {
            let town = try $0.town()
            for (entity, name) in [(town.tag, "bearers"), (town.person, "pets")] {
                let relationship = try entity.relationship(name)
                let owners = try town.session.rows(entity.request()).map(\.key)
                var (found, list): ([Int64: [[Int64]]], [Int64: [[Int64]]]) = ([:], [:])
                try town.session.store.read { reader throws(StorageError) in
                    try reader.forEachRelated(relationship, of: owners) {
                        found[$0, default: []].append([$1.key, $1.version])
                    }
                    for related in try reader.related(relationship, of: owners) {
                        for row in related.rows { list[related.owner, default: []].append([row.key, row.version]) }
                    }
                }
                // The rows of different owners may alternate. Without an order, those of one owner have any order, too.
                if !entity.layout.relationships[relationship].isOrdered {
                    found = found.mapValues { $0.sorted { $0[0] < $1[0] } }
                }
                try expectEqual(found, list, "keys and versions of each owner in '\(name)'")
                try expect(!list.isEmpty, "'\(name)' that lead somewhere")
            }
        },
        ConformanceCase("relationships/whole-rows", "Related rows come with their own entity and all of their columns.")
        {
            let town = try $0.town()
            let relationship = try town.tag.relationship("bearers")
            let red = try town.key("red")
            let found = try town.session.store.read { reader throws(StorageError) in
                try reader.related(relationship, of: [red])
            }
            let rows = found.flatMap(\.rows)
            try expectEqual(
                rows.map(\.entity), [town.person, town.student, town.pet].map(\.entity.index),
                "the entities of the bearers")
            for row in rows {
                let kinds = town.creature.layout.entities[row.entity].kinds
                let direct = try town.session.row("Creature", row.key)
                try expectEqual(row.values(kinds), direct.values(kinds), "the columns")
                try expectEqual(row.version, direct.version, "the version")
            }
        },
        ConformanceCase("relationships/many-to-many", "A many-to-many relationship is read from both of its sides.") {
            let town = try $0.town()
            try expectEqual(try town.names(town.creature, "tags", of: "Ann"), ["red", "blue"], "Ann's tags")
            try expectEqual(try town.names(town.creature, "tags", of: "Bob"), [], "Bob's tags")
            try expectEqual(try town.names(town.tag, "bearers", of: "red"), ["Ann", "Dan", "Rex"], "who is red")
            try expectEqual(try town.names(town.tag, "bearers", of: "empty"), [], "who is empty")
        },
        ConformanceCase(
            "relationships/ordered-many-to-many", "An ordered many-to-many relationship has an order on each side."
        ) {
            let town = try $0.town()
            try expectEqual(try town.names(town.person, "favorites", of: "Ann"), ["Emma", "Dune"], "Ann's favorites")
            try expectEqual(try town.names(town.book, "readers", of: "Dune"), ["Bob", "Ann"], "Dune's readers")
            try expectEqual(try town.names(town.book, "readers", of: "Ulysses"), [], "Ulysses' readers")
        },
        ConformanceCase("relationships/relink-moves", "Adding a link that exists sets its places.") {
            let town = try $0.town()
            try town.session.commit { changes in
                try changes.links.append(town.favorite("Ann", "Dune", bookPlace: -1, readerPlace: -1))
            }
            try expectEqual(try town.names(town.person, "favorites", of: "Ann"), ["Dune", "Emma"], "Ann's favorites")
            try expectEqual(try town.names(town.book, "readers", of: "Dune"), ["Ann", "Bob"], "Dune's readers")
        },
        ConformanceCase("relationships/relink-is-one-link", "Adding a link that exists does not make a second one.") {
            let town = try $0.town()
            try town.session.commit { try $0.links.append(town.tagLink("Ann", "red")) }
            try town.session.commit { changes in
                for _ in 0..<2 { try changes.links.append(town.tagLink("Bob", "red")) }
            }
            try expectEqual(try town.names(town.tag, "bearers", of: "red"), ["Ann", "Bob", "Dan", "Rex"], "who is red")
        },
        ConformanceCase(
            "relationships/unlink", "Removing a link removes that one; removing what is not there is harmless."
        ) {
            let town = try $0.town()
            try town.session.commit { changes in
                try changes.unlinks += [town.tagLink("Ann", "red"), town.tagLink("Bob", "blue")]
                try changes.unlinks.append(town.favorite("Ann", "Emma", bookPlace: 77, readerPlace: 77))
            }
            try expectEqual(try town.names(town.creature, "tags", of: "Ann"), ["blue"], "Ann's tags")
            try expectEqual(try town.names(town.tag, "bearers", of: "red"), ["Dan", "Rex"], "who is red")
            try expectEqual(try town.names(town.person, "favorites", of: "Ann"), ["Dune"], "Ann's favorites")
        },
        ConformanceCase("relationships/unlink-before-link", "Links are removed before links are added.") {
            let town = try $0.town()
            try town.session.commit { changes in
                try changes.links.append(town.favorite("Ann", "Dune", bookPlace: -1, readerPlace: 5))
                try changes.unlinks.append(town.favorite("Ann", "Dune", bookPlace: 1, readerPlace: 1))
            }
            try expectEqual(try town.names(town.person, "favorites", of: "Ann"), ["Dune", "Emma"], "Ann's favorites")
        },
        ConformanceCase(
            "relationships/self-inverse",
            "In a relationship that is its own inverse each link is given both ways, and counts once."
        ) {
            let town = try $0.town()
            let friends = try town.person.relationship("friends")
            try expectEqual(try town.names(town.person, "friends", of: "Ann"), ["Bob", "Dan"], "Ann's friends")
            try expectEqual(try town.names(town.person, "friends", of: "Bob"), ["Ann"], "Bob's friends")
            let two = RowExpression.count(relationship: friends) == .integer(2)
            try expectEqual(try town.names(town.person, where: two), ["Ann"], "who has two friends")
            try town.session.commit { changes in
                let table = try town.person.linkTable("friends")
                try changes.links.append(.init(table: table, first: town.key("Eve"), second: town.key("Eve")))
                try changes.unlinks.append(.init(table: table, first: town.key("Ann"), second: town.key("Bob")))
                try changes.unlinks.append(.init(table: table, first: town.key("Bob"), second: town.key("Ann")))
            }
            try expectEqual(try town.names(town.person, "friends", of: "Eve"), ["Eve"], "Eve's friends")
            try expectEqual(try town.names(town.person, "friends", of: "Ann"), ["Dan"], "Ann's friends, without Bob")
            try expectEqual(try town.names(town.person, "friends", of: "Bob"), [], "Bob's friends, without Ann")
        },
        ConformanceCase(
            "relationships/delete-removes-links", "Deleting a row removes its links on every side, and nobody else's."
        ) {
            let town = try $0.town()
            try town.session.commit { try $0.deletes.append(town.person.delete(town.key("Ann"))) }
            try expectEqual(try town.names(town.tag, "bearers", of: "red"), ["Dan", "Rex"], "who is red")
            try expectEqual(try town.names(town.tag, "bearers", of: "blue"), [], "who is blue")
            try expectEqual(try town.names(town.book, "readers", of: "Dune"), ["Bob"], "Dune's readers")
            try expectEqual(try town.names(town.person, "friends", of: "Bob"), [], "Bob's friends")
            let bearers = try town.tag.relationship("bearers")
            let isBorne = RowPredicate.some(from: [], relationship: bearers, .constant(true))
            try expectEqual(try town.names(town.tag, where: isBorne), ["red"], "the tags with a bearer")
            let count = RowExpression.count(relationship: bearers)
            try expectEqual(try town.names(town.tag, where: count == .integer(2)), ["red"], "the tags with two bearers")
            try town.session.commit { try $0.deletes.append(town.tag.delete(town.key("red"))) }
            try expectEqual(try town.names(town.creature, "tags", of: "Dan"), [], "Dan's tags")
        },
        ConformanceCase(
            "relationships/delete-removes-nothing-else", "Deleting a row leaves the rows that refer to it as they are."
        ) {
            let town = try $0.town()
            try town.session.commit { try $0.deletes.append(town.person.delete(town.key("Ann"))) }
            let bob = try town.session.row("Person", town.key("Bob"))
            try expectEqual(bob.version, 1, "Bob's version")
            try expectEqual(try town.person.value("mentor", of: bob), .integer(try town.key("Ann")), "Bob's mentor")
            try expectEqual(
                try town.names(town.person, where: town.person["mentor.name"] == .null), ["Bob", "Cleo", "Eve", "ann"],
                "those whose mentor has no name, or who have none that exists")
        },
        ConformanceCase(
            "relationships/through", "A path through to-one relationships leads to null where one leads nowhere."
        ) {
            let town = try $0.town()
            try expectEqual(
                try town.names(town.pet, where: town.pet["owner.name"] == .text("Ann")), ["Rex", "Mia"],
                "owner.name = Ann")
            try expectEqual(
                try town.names(town.pet, where: town.pet["owner.name"] == .null), ["Stray"], "owner.name = null")
            try expectEqual(
                try town.names(town.pet, where: town.pet["owner.mentor.name"] == .text("Ann")), ["Tom"],
                "owner.mentor.name = Ann")
            try expectEqual(
                try town.names(town.pet, where: town.pet["owner.name"] != .text("Ann")), ["Tom", "Stray"],
                "owner.name != Ann, no owner included")
        },
        ConformanceCase(
            "relationships/through-same-twice", "One condition may follow the same relationship by several paths."
        ) {
            let town = try $0.town()
            let predicate = RowPredicate.and(
                try [
                    town.person["mentor.name"] == .text("Bob"), town.person["mentor.mentor.name"] == .text("Ann"),
                    .not(town.person["mentor.nick"] == .text("annie")),
                ])
            try expectEqual(try town.names(town.person, where: predicate), ["Dan"], "whose mentor is Bob, whose is Ann")
        },
        ConformanceCase(
            "relationships/some", "'Some' holds when one related object fulfils the condition, and not for none."
        ) {
            let town = try $0.town()
            let pets = try town.person.relationship("pets")
            let bearers = try town.tag.relationship("bearers")
            let isCat = try town.pet["species"] == .text("cat")
            try expectEqual(
                try town.names(town.person, where: .some(from: [], relationship: pets, isCat)), ["Ann", "Bob"],
                "who have some cat")
            try expectEqual(
                try town.names(town.person, where: .not(.some(from: [], relationship: pets, .not(isCat)))),
                ["Bob", "Cleo", "Dan", "Eve", "ann"], "whose pets are all cats")
            try expectEqual(
                try town.names(
                    town.tag, where: .some(from: [], relationship: bearers, .isEntity([town.pet.entity.index]))),
                ["red"],
                "tags that some pet bears")
        },
        ConformanceCase(
            "relationships/some-is-one-object", "The parts of a condition in 'some' are about the same related object."
        ) {
            let town = try $0.town()
            let pets = try town.person.relationship("pets")
            let dogMia = RowPredicate.and(
                try [
                    town.pet["species"] == .text("dog"), town.pet["name"] == .text("Mia"),
                ])
            try expectEqual(
                try town.names(town.person, where: .some(from: [], relationship: pets, dogMia)), [],
                "who have a dog called Mia")
        },
        ConformanceCase(
            "relationships/some-from", "'Some' may start at the end of a path, and fails where the path leads nowhere."
        ) {
            let town = try $0.town()
            let predicate = RowPredicate.some(
                from: [try town.pet.relationship("owner"), try town.person.relationship("mentor")],
                relationship: try town.person.relationship("pets"), try town.pet["species"] == .text("dog"))
            try expectEqual(try town.names(town.pet, where: predicate), ["Tom"], "whose owner's mentor has a dog")
            try expectEqual(try town.names(town.pet, where: .not(predicate)), ["Rex", "Mia", "Stray"], "the others")
        },
        ConformanceCase("relationships/some-nested", "'Some' nests, also through the same relationship and back.") {
            let town = try $0.town()
            let pets = try town.person.relationship("pets")
            let friends = try town.person.relationship("friends")
            let favorites = try town.person.relationship("favorites")
            let readsDune = RowPredicate.some(
                from: [], relationship: favorites, try town.book["title"] == .text("Dune"))
            let friendReads = RowPredicate.some(from: [], relationship: friends, readsDune)
            try expectEqual(
                try town.names(town.person, where: friendReads), ["Ann", "Bob", "Dan"], "a friend reads Dune")
            let friendOfFriend = RowPredicate.some(
                from: [], relationship: friends, .some(from: [], relationship: friends, friendReads))
            try expectEqual(
                try town.names(town.person, where: friendOfFriend), ["Ann", "Bob", "Dan"], "friends' friends'")
            let ownersMentor = RowPredicate.some(
                from: [], relationship: pets, try town.pet["owner.mentor.name"] == .text("Ann"))
            try expectEqual(
                try town.names(town.person, where: ownersMentor), ["Bob"], "a pet whose owner's mentor is Ann")
        },
        ConformanceCase(
            "relationships/count", "The number of related objects can be compared and sorted by; 0 for none."
        ) {
            let town = try $0.town()
            let counts: [(String, Value, [String])] = [
                ("pets", .integer(2), ["Ann"]), ("pets", .integer(0), ["Cleo", "Dan", "Eve", "ann"]),
                ("friends", .integer(2), ["Ann"]), ("favorites", .integer(1), ["Bob"]), ("tags", .integer(1), ["Dan"]),
                ("pupils", .integer(1), ["Bob"]),
            ]
            for (relationship, count, names) in counts {
                let expression = RowExpression.count(relationship: try town.person.relationship(relationship))
                try expectEqual(
                    try town.names(town.person, where: expression == count), names, "\(relationship) = \(count)")
            }
        },
        ConformanceCase("relationships/one-to-one", "Each side of a one-to-one relationship is a reference of its own.")
        {
            let town = try $0.town()
            try town.session.commit { changes in
                let dune = try town.session.row("Book", town.key("Dune"))
                let emma = try town.session.row("Book", town.key("Emma"))
                try changes.updates.append(town.book.update(dune, ["sequel": .integer(emma.key)]))
                try changes.updates.append(town.book.update(emma, ["prequel": .integer(dune.key)]))
            }
            try expectEqual(
                try town.names(town.book, where: town.book["sequel.title"] == .text("Emma")), ["Dune"], "sequel is Emma"
            )
            try expectEqual(
                try town.names(town.book, where: town.book["prequel.sequel.prequel.title"] == .text("Dune")), ["Emma"],
                "there and back again")
        },
    ]

    private static func leadsFromManyOwners(_ context: TestContext) throws {
        let session = try context.open()
        let person = try session.entity("Person")
        let pet = try session.entity("Pet")
        let owners = Array(try session.reserve("Person", 2_500))
        let pets = Array(try session.reserve("Pet", 5_000))
        let tag = try session.insert("Tag", ["label": .text("odd")])
        try session.commit { changes in
            for (index, owner) in owners.enumerated() {
                let mentor = owners[index * 7 % 600]
                try changes.inserts.append(.init(row: person.row(owner, ["mentor": .integer(mentor)])))
            }
            for (index, key) in pets.enumerated() {
                let values: [String: Value] = [
                    "owner": .integer(owners[index / 2]), "owner position": .integer(Int64(-index)),
                ]
                try changes.inserts.append(.init(row: pet.row(key, values)))
            }
            for owner in owners where owner % 2 == 1 { try changes.links.append(person.link("tags", owner, tag)) }
        }
        var asked = owners.reversed() + []
        asked += (0..<40_000).map { Int64($0) + (1 << 40) }
        var expected: [Int64: [Int64]] = [:]
        for (index, owner) in owners.enumerated() { expected[owner] = [pets[2 * index + 1], pets[2 * index]] }
        try expectEqual(try session.related(person.relationship("pets"), of: asked), expected, "everyone's pets")
        expected = [:]
        for (index, owner) in owners.enumerated() { expected[owners[index * 7 % 600], default: []].append(owner) }
        try expectEqual(try session.related(person.relationship("pupils"), of: asked), expected, "everyone's pupils")
        let tagged = try session.related(person.relationship("tags"), of: asked)
        try expectEqual(tagged.keys.sorted(), owners.filter { $0 % 2 == 1 }, "who is tagged")
        try expectEqual(try session.related(person.relationship("pets"), of: []), [:], "nobody's pets")
    }
}
