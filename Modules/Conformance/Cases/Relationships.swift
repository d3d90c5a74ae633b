import CofferStorage

/// The cases about relationships: related rows, their order, and conditions on them.
extension ConformanceCase {
    /// The related rows of relationships, their order, and conditions on them.
    static let relationships: [ConformanceCase] = [
        withTown(
            "relationships/one-to-many", "A one-to-many relationship returns the rows that refer back, sorted by key."
        ) { town in
            try town.expectRelated("pupils", ["Ann": ["Bob", "Cleo"], "Bob": ["Dan"], "Eve": []])
        },
        withTown("relationships/ordered-one-to-many", "An ordered one-to-many relationship keeps its order.") {
            town in
            try town.expectRelated("pets", ["Ann": ["Mia", "Rex"]])
            try town.commit {
                try $0.update("Stray", ["owner": .integer(town.key("Ann")), "owner position": .integer(-5)])
                try $0.update("Mia", ["owner position": .integer(1)])
            }
            try town.expectRelated(
                "pets", ["Ann": ["Stray", "Rex", "Mia"]], "Stray at -5, Rex and Mia both at 1, so by key")
        },
        withStore(
            "relationships/many-owners", "One request reads the related rows of many owners, grouped by owner.",
            leadsFromManyOwners),
        withTown(
            "relationships/row-by-row", "Reading related rows one by one returns the rows of the lists."
        ) { town in
            for (entity, name) in [(try town.tag, "bearers"), (try town.person, "pets")] {
                let relationship = try town.relationship(name)
                let owners = try town.keys(entity.request())
                var found: [Int64: [Row]] = [:]
                let list = try town.read { reader in
                    try reader.forEachRelated(relationship, of: owners) { found[$0, default: []].append($1) }
                    return try reader.related(relationship, of: owners)
                }
                // The rows of different owners may alternate. Without an order, the rows of one owner come in any
                // order, too.
                if !entity.layout.relationships[relationship].isOrdered {
                    found = found.mapValues { $0.sorted { $0.key < $1.key } }
                }
                for related in list {
                    try town.expectRows(found[related.owner] ?? [], related.rows, "'\(name)' of \(related.owner)")
                }
                let leading = list.filter { !$0.rows.isEmpty }.map(\.owner)
                try expectEqual(found.keys.sorted(), leading.sorted(), "the owners with related rows in '\(name)'")
                try expect(!leading.isEmpty, "related rows in '\(name)'")
            }
        },
        withTown(
            "relationships/whole-rows", "Related rows have their own entity and all of their columns."
        ) { town in
            let (bearers, red) = (try town.relationship("bearers"), try town.key("red"))
            let rows = try town.read { try $0.related(bearers, of: [red]) }.flatMap(\.rows)
            let entities = try [town.person, town.student, town.pet].map(\.entity.index)
            try expectEqual(rows.map(\.entity), entities, "the entities of the bearers")
            try town.expectRows(rows, rows.map { try town.row("Creature", $0.key) }, "the rows")
        },
        withTown("relationships/many-to-many", "A many-to-many relationship can be read from both sides.") { town in
            try town.expectRelated("tags", ["Ann": ["red", "blue"], "Bob": []])
            try town.expectRelated("bearers", ["red": ["Ann", "Dan", "Rex"], "empty": []])
        },
        withTown(
            "relationships/ordered-many-to-many", "An ordered many-to-many relationship has an order on each side."
        ) { town in
            try town.expectRelated("favorites", ["Ann": ["Emma", "Dune"]])
            try town.expectRelated("readers", ["Dune": ["Bob", "Ann"], "Ulysses": []])
        },
        withTown("relationships/relink-moves", "Adding an existing link sets its places.") { town in
            try town.commit { try $0.links = [town.favorite("Ann", "Dune", bookPlace: -1, readerPlace: -1)] }
            try town.expectRelated("favorites", ["Ann": ["Dune", "Emma"]])
            try town.expectRelated("readers", ["Dune": ["Ann", "Bob"]])
        },
        withTown("relationships/relink-is-one-link", "Adding an existing link does not create a second one.") { town in
            try town.commit { try $0.links = [town.tagLink("Ann", "red")] }
            try town.commit { try $0.links = [town.tagLink("Bob", "red"), town.tagLink("Bob", "red")] }
            try town.expectRelated("bearers", ["red": ["Ann", "Bob", "Dan", "Rex"]])
        },
        withTown(
            "relationships/unlink", "Removing a link removes only this link; removing a missing link has no effect."
        ) { town in
            try town.commit {
                try $0.unlinks = [
                    town.tagLink("Ann", "red"), town.tagLink("Bob", "blue"),
                    town.favorite("Ann", "Emma", bookPlace: 77, readerPlace: 77),
                ]
            }
            try town.expectRelated("tags", ["Ann": ["blue"]])
            try town.expectRelated("bearers", ["red": ["Dan", "Rex"]])
            try town.expectRelated("favorites", ["Ann": ["Dune"]])
        },
        withTown("relationships/unlink-before-link", "A commit removes links before it adds links.") { town in
            try town.commit {
                try $0.links = [town.favorite("Ann", "Dune", bookPlace: -1, readerPlace: 5)]
                try $0.unlinks = [town.favorite("Ann", "Dune", bookPlace: 1, readerPlace: 1)]
            }
            try town.expectRelated("favorites", ["Ann": ["Dune", "Emma"]])
        },
        withTown(
            "relationships/self-inverse",
            "Each link of a relationship that is its own inverse is read in both directions, and counts once."
        ) { town in
            try town.expectRelated("friends", ["Ann": ["Bob", "Dan"], "Bob": ["Ann"]])
            let friends = try RowExpression.count(relationship: town.relationship("friends"))
            try town.expectPeople(where: friends == .integer(2), ["Ann"], "the people with two friends")
            try town.commit {
                let (ann, bob, eve) = try (town.key("Ann"), town.key("Bob"), town.key("Eve"))
                try $0.links = [town.link("friends", eve, eve)]
                try $0.unlinks = [town.link("friends", ann, bob), town.link("friends", bob, ann)]
            }
            try town.expectRelated("friends", ["Eve": ["Eve"], "Ann": ["Dan"], "Bob": []], "Ann and Bob apart")
        },
        withTown(
            "relationships/delete-removes-links", "Deleting a row removes its links on both sides, and no other links."
        ) { town in
            try town.delete("Ann")
            try town.expectRelated("bearers", ["red": ["Dan", "Rex"], "blue": []])
            try town.expectRelated("readers", ["Dune": ["Bob"]])
            try town.expectRelated("friends", ["Bob": []])
            let isBorne = try town.some("bearers", .constant(true))
            try town.expectNames(of: town.tag, where: isBorne, ["red"], "the tags with a bearer")
            let count = RowExpression.count(relationship: try town.relationship("bearers"))
            try town.expectNames(of: town.tag, where: count == .integer(2), ["red"], "the tags with two bearers")
            try town.delete("red")
            try town.expectRelated("tags", ["Dan": []])
        },
        withTown(
            "relationships/delete-removes-nothing-else", "Deleting a row does not change the rows that refer to it."
        ) { town in
            try town.delete("Ann")
            try town.expectRow("Bob", ["mentor": .integer(town.key("Ann"))], version: 1)
            try town.expectPeople(
                where: town.person["mentor.name"] == .null, ["Bob", "Cleo", "Eve", "ann"],
                "people without a mentor, or whose mentor does not exist")
        },
        withTown(
            "relationships/through", "A path through to-one relationships is null if a related object is missing."
        ) { town in
            let (pet, owner, mentor) = try (town.pet, town.pet["owner.name"], town.pet["owner.mentor.name"])
            try town.expectNames(of: pet, where: owner == .text("Ann"), ["Rex", "Mia"], "owner.name = Ann")
            try town.expectNames(of: pet, where: owner == .null, ["Stray"], "owner.name = null")
            try town.expectNames(of: pet, where: mentor == .text("Ann"), ["Tom"], "owner.mentor.name = Ann")
            try town.expectNames(
                of: pet, where: owner != .text("Ann"), ["Tom", "Stray"], "owner.name != Ann, no owner included")
        },
        withTown(
            "relationships/through-same-twice", "One condition can follow the same relationship by several paths."
        ) { town in
            let predicate = try RowPredicate.and([
                town.person["mentor.name"] == .text("Bob"), town.person["mentor.mentor.name"] == .text("Ann"),
                .not(town.person["mentor.nick"] == .text("annie")),
            ])
            try town.expectPeople(where: predicate, ["Dan"], "people whose mentor is Bob, and Bob's mentor is Ann")
        },
        withTown(
            "relationships/some", "'Some' is true if at least one related object fulfils the condition."
        ) { town in
            let isCat = try town.pet["species"] == .text("cat")
            try town.expectPeople(where: town.some("pets", isCat), ["Ann", "Bob"], "people with a cat")
            try town.expectPeople(
                where: .not(town.some("pets", .not(isCat))), ["Bob", "Cleo", "Dan", "Eve", "ann"],
                "people whose pets are all cats")
            let isBorneByPet = try town.some("bearers", .isEntity([town.pet.entity.index]))
            try town.expectNames(of: town.tag, where: isBorneByPet, ["red"], "tags of a pet")
        },
        withTown(
            "relationships/some-is-one-object", "One related object must fulfil all parts of the condition in 'some'."
        ) { town in
            let dogMia = try [town.pet["species"] == .text("dog"), town.pet["name"] == .text("Mia")]
            try town.expectPeople(where: town.some("pets", .and(dogMia)), [], "people with a dog called Mia")
        },
        withTown(
            "relationships/some-from",
            "'Some' can begin at the end of a path, and is false if the object at the end is missing."
        ) { town in
            let predicate = try town.some("pets", from: ["owner", "mentor"], town.pet["species"] == .text("dog"))
            try town.expectNames(of: town.pet, where: predicate, ["Tom"], "pets whose owner's mentor has a dog")
            try town.expectNames(of: town.pet, where: .not(predicate), ["Rex", "Mia", "Stray"], "the others")
        },
        withTown("relationships/some-nested", "'Some' can contain 'some', also of the same relationship.") { town in
            let friendReads = try town.some("friends", town.some("favorites", town.book["title"] == .text("Dune")))
            try town.expectPeople(where: friendReads, ["Ann", "Bob", "Dan"], "a friend reads Dune")
            let friendOfFriend = try town.some("friends", town.some("friends", friendReads))
            try town.expectPeople(where: friendOfFriend, ["Ann", "Bob", "Dan"], "three levels of friends")
            let ownersMentor = try town.some("pets", town.pet["owner.mentor.name"] == .text("Ann"))
            try town.expectPeople(where: ownersMentor, ["Bob"], "a pet whose owner's mentor is Ann")
        },
        withTown(
            "relationships/count",
            "The number of related objects can be compared and sorted; it is 0 without related objects."
        ) { town in
            let counts: [(String, Value, [String])] = [
                ("pets", .integer(2), ["Ann"]), ("pets", .integer(0), ["Cleo", "Dan", "Eve", "ann"]),
                ("friends", .integer(2), ["Ann"]), ("favorites", .integer(1), ["Bob"]), ("tags", .integer(1), ["Dan"]),
                ("pupils", .integer(1), ["Bob"]),
            ]
            for (relationship, count, names) in counts {
                let expression = RowExpression.count(relationship: try town.relationship(relationship))
                try town.expectPeople(where: expression == count, names, "\(relationship) = \(count)")
            }
        },
        withTown(
            "relationships/one-to-one", "Each side of a one-to-one relationship is a separate reference."
        ) { town in
            try town.commit {
                try $0.update("Dune", ["sequel": .integer(town.key("Emma"))])
                try $0.update("Emma", ["prequel": .integer(town.key("Dune"))])
            }
            let (isEmma, isDune) = (Value.text("Emma"), Value.text("Dune"))
            try town.expectNames(of: town.book, where: town.book["sequel.title"] == isEmma, ["Dune"], "sequel is Emma")
            try town.expectNames(
                of: town.book, where: town.book["prequel.sequel.prequel.title"] == isDune, ["Emma"],
                "a path there and back")
        },
    ]

    private static func leadsFromManyOwners(_ session: Session) throws {
        let owners = Array(try session.reserve("Person", 2_500))
        let pets = Array(try session.reserve("Pet", 5_000))
        let tag = try session.insert("Tag", ["label": .text("odd")])
        try session.commit { changes in
            for (index, owner) in owners.enumerated() {
                try changes.insert("Person", ["mentor": .integer(owners[index * 7 % 600])], key: owner)
            }
            for (index, pet) in pets.enumerated() {
                let place = Value.integer(Int64(-index))
                try changes.insert("Pet", ["owner": .integer(owners[index / 2]), "owner position": place], key: pet)
            }
            changes.links = try owners.filter { $0 % 2 == 1 }.map { try session.link("tags", $0, tag) }
        }
        let asked = owners.reversed() + (0..<40_000).map { Int64($0) + (1 << 40) }
        var expected: [Int64: [Int64]] = [:]
        for (index, owner) in owners.enumerated() { expected[owner] = [pets[2 * index + 1], pets[2 * index]] }
        try expectEqual(try session.related(session.relationship("pets"), of: asked), expected, "everyone's pets")
        expected = [:]
        for (index, owner) in owners.enumerated() { expected[owners[index * 7 % 600], default: []].append(owner) }
        try expectEqual(try session.related(session.relationship("pupils"), of: asked), expected, "everyone's pupils")
        let tagged = try session.related(session.relationship("tags"), of: asked)
        try expectEqual(tagged.keys.sorted(), owners.filter { $0 % 2 == 1 }, "the tagged people")
        try expectEqual(try session.related(session.relationship("pets"), of: []), [:], "the pets of no owner")
    }
}
