import CofferEvaluation
import CofferStorage
import Foundation

/// The cases about fetching: the rows, the order, the offset, the limit and the count of a request.
extension ConformanceCase {
    /// The rows of a request, their order and their number.
    static let fetching: [ConformanceCase] = [
        withStore("fetching/empty-store", "A new store has no rows.") { session in
            try expectEqual(try session.rows(session.creature.request()).map(\.key), [], "the rows")
            try session.expectCount(of: "Creature", 0, "the count")
            try expect(try !session.exists("Creature", 1), "no row with the key 1")
        },
        withStore("fetching/key-order", "Without an order, rows are sorted by key.") { session in
            let keys = Array(try session.reserve("Tag", 50))
            var random = SeededGenerator(seed: Settings.seed)
            for part in [0..<20, 20..<50] {
                try session.commit { changes in
                    for key in keys[part].shuffled(using: &random) { try changes.insert("Tag", key: key) }
                }
            }
            try expectEqual(try session.rows(session.tag.request()).map(\.key), keys, "the keys")
        },
        withTown(
            "fetching/null-sorts-first", "Null is the first value in ascending order, and the last in descending order."
        ) { town in
            try town.expectNames(
                of: town.person, order: [town.person.sorted("height")], ["Bob", "Eve", "ann", "Cleo", "Ann", "Dan"],
                "by height, ascending")
            try town.expectNames(
                of: town.person, order: [town.person.sorted("height", ascending: false)],
                ["Ann", "Dan", "Cleo", "ann", "Bob", "Eve"], "by height, descending")
        },
        withTown(
            "fetching/order-by-several", "Rows with equal first sort values are sorted by the next."
        ) { town in
            try town.expectNames(
                of: town.person, order: [town.person.sorted("order", ascending: false), town.person.sorted("name")],
                ["Ann", "ann", "Dan", "Cleo", "Bob", "Eve"], "by order descending, then name")
            try town.expectNames(
                of: town.person, order: [town.person.sorted("order"), town.person.sorted("name", ascending: false)],
                ["Eve", "Bob", "Cleo", "Dan", "ann", "Ann"], "by order, then name descending")
        },
        withTown(
            "fetching/ties-by-key",
            "Ties are broken by key, ascending, also in a descending order."
        ) { town in
            let (person, names) = (try town.person, Session.everyone)
            let constant = RowExpression.value(.integer(1))
            let expected: [([RowSort], [String], String)] = [
                ([RowSort(constant, ascending: true)], names, "by a constant, ascending"),
                ([RowSort(constant, ascending: false)], names, "by a constant, descending"),
                ([RowSort(.key, ascending: false)], names.reversed(), "by the key, descending"),
                (
                    [RowSort(.key, ascending: true), try person.sorted("order")], names,
                    "by the key, then something else"
                ),
            ]
            for (order, names, what) in expected { try town.expectNames(of: person, order: order, names, what) }
        },
        withStore("fetching/text-order", "Strings are sorted by their UTF-8 bytes.") { session in
            let tag = try session.tag
            let labels = [
                "\u{1F600}", "b", "B", "é", "e\u{301}", "", "a", "\u{FF5E}", "ab", "a b", "10", "9", "Z", "a\u{0}",
            ].map(Value.text)
            for label in labels { try session.insert("Tag", ["label": label]) }
            let found = try session.values(of: "label", in: tag.request(order: [tag.sorted("label")]))
            let expected = labels.sorted { ValueOrdering.sortOrder($0, $1) == .orderedAscending }
            try expectEqual(found, expected, "the labels in order")
        },
        withStore(
            "fetching/order-of-every-kind",
            "Values of every type are sorted by their meaning, not by their stored form.",
            sortsEveryKind),
        withTown(
            "fetching/order-through-relationship", "An order can follow a to-one relationship, and begins with null."
        ) { town in
            try town.expectNames(
                of: town.pet, order: [town.pet.sorted("owner.name", ascending: false)],
                ["Tom", "Rex", "Mia", "Stray"], "pets by their owner's name, descending")
            let pets = RowExpression.count(relationship: try town.relationship("pets"))
            try town.expectNames(
                of: town.person, order: [RowSort(pets, ascending: false)], Session.everyone,
                "people by their number of pets, descending")
        },
        withTown("fetching/limit", "A limit applies after the order; with a limit of 0, there are no rows.") { town in
            let (person, order) = try (town.person, [town.person.sorted("name", ascending: false)])
            try town.expectNames(of: person, order: order, limit: 2, ["ann", "Eve"], "the last 2 by name")
            try town.expectNames(of: person, limit: 0, [], "limit 0")
            try town.expectNames(of: person, limit: 100, Session.everyone, "limit 100")
        },
        withTown("fetching/offset", "An offset skips the first rows, with and without a limit.") { town in
            let (person, order) = try (town.person, [town.person.sorted("name")])
            try town.expectNames(of: person, order: order, offset: 4, ["Eve", "ann"], "offset 4")
            try town.expectNames(of: person, order: order, offset: 1, limit: 2, ["Bob", "Cleo"], "1, limit 2")
            try town.expectNames(of: person, offset: 6, [], "an offset of all rows")
            try town.expectNames(of: person, offset: 100, limit: 1, [], "an offset beyond the end")
        },
        withTown(
            "fetching/count", "A count is the number of rows of the same request, with its offset and limit."
        ) { town in
            let (person, named) = try (town.person, town.person["nick"] != .null)
            for request in [
                person.request(), person.request(where: named), person.request(where: named, limit: 3),
                person.request(where: named, offset: 1), person.request(offset: 4, limit: 5),
                person.request(offset: 9), person.request(limit: 0),
            ] {
                try expectEqual(try town.count(request), try town.rows(request).count, "\(request)")
            }
            try expectEqual(try town.count(person.request(where: named, limit: 3)), 3, "limited to 3")
        },
        withTown(
            "fetching/keys", "A request for keys returns the keys of its rows in the same order."
        ) { town in
            let order = try [town.person.sorted("height", ascending: false), town.person.sorted("name")]
            for request in try [
                town.person.request(order: order), town.person.request(order: order, offset: 1, limit: 3),
                town.student.request(order: order), town.creature.request(order: [RowSort(.key, ascending: false)]),
            ] {
                try expectEqual(try town.keys(request), try town.rows(request).map(\.key), "\(request)")
            }
        },
        withTown("fetching/subentities", "A request includes rows of subentities, unless it excludes them.") { town in
            var request = try town.person.request()
            try expectEqual(try town.rows(request).count, 6, "people, students included")
            try town.expectNames(of: town.student, ["Dan", "Eve"], "students")
            request.includesSubentities = false
            let persons = town.names(try town.keys(request), in: try town.person)
            try expectEqual(persons, ["Ann", "Bob", "Cleo", "ann"], "persons without subentities")
            try expectEqual(try town.count(request), 4, "the count of persons without subentities")
        },
        withTown(
            "fetching/abstract-entity", "A request for an abstract entity returns the rows of its subentities."
        ) { town in
            let creature = try town.creature
            var request = creature.request()
            try expectEqual(try town.rows(request).count, 10, "creatures")
            request.includesSubentities = false
            try expectEqual(try town.count(request), 0, "creatures without subentities")
            try town.expectNames(
                of: creature, order: [creature.sorted("order"), creature.sorted("name")],
                ["Bob", "Eve", "Mia", "Cleo", "Dan", "Ann", "Tom", "ann", "Stray", "Rex"], "by an inherited column")
        },
        withTown(
            "fetching/whole-rows",
            "A row has its own entity and all of its columns, whichever entity was requested."
        ) { town in
            let rows = try town.rows(town.creature.request(where: town.creature["name"] == .text("Dan")))
            try expectEqual(rows.map(\.entity), [try town.student.entity.index], "Dan's entity")
            try expectEqual(rows[0].slotCount, try town.student.entity.columns.count, "the number of columns")
            try town.expectRow(rows[0], "Dan, with columns of a sub-entity", ["nick": .text("danny"), "grade": .null])
            let pet = try town.row("Creature", town.key("Rex"))
            try expectEqual(pet.slotCount, try town.pet.entity.columns.count, "the number of Rex's columns")
        },
        withTown(
            "fetching/by-key",
            "A row is found by its key in all entities of its tree; an unknown key finds nothing."
        ) { town in
            try expectEqual(try town.row("Creature", town.key("Dan")).key, try town.key("Dan"), "the key")
            try town.expectRow("Creature", town.key("Dan"), version: 1)
            try expect(try !town.exists("Creature", 1 << 40), "no row with an unused key")
            try expect(try !town.exists("Creature", -1), "no row with a negative key")
        },
        withStore(
            "fetching/by-keys", "Any number of rows is found by key; unknown keys are skipped."
        ) { session in
            let tag = try session.tag
            let keys = try session.insert("Tag", all: (0..<3_000).map { ["label": .text("\($0)")] })
            let asked = Array(keys.reversed()) + (1...40_000).map { $0 + (1 << 40) }
            let rows = try session.read { try $0.rows(root: tag.entity.root, keys: asked) }
            try expectEqual(rows.map(\.key).sorted(), keys, "the keys found")
            try expect(
                try rows.allSatisfy { try tag.value("label", of: $0) == .text("\($0.key - keys[0])") },
                "each row with its own columns")
            let none = try session.read { try $0.rows(root: tag.entity.root, keys: []) }
            try expectEqual(none.count, 0, "the number of rows for no keys")
        },
        withTown(
            "fetching/row-by-row",
            "Reading row by row returns the rows of the list, also while another reader is used.",
            handsOverRowByRow),
        withStore("fetching/roots-are-apart", "Each tree of entities has its own key space.") { session in
            let book = try session.newKey("Book")
            let tags = try session.reserve("Tag", Int(book) + 1)
            try expect(tags.contains(book) || tags.lowerBound > book || book > tags.upperBound, "separate keys")
            try session.insert("Tag", ["label": .text("only")])
            try session.expectCount(of: "Book", 0, "the number of books")
        },
        ConformanceCase("fetching/random", "Random requests on random models are answered correctly.") {
            try DifferentialTest.run($0, .rows)
        },
    ]

    private static func handsOverRowByRow(_ town: Session) throws {
        let root = try town.creature.entity.root
        let requests = try [
            town.creature.request(),
            town.person.request(order: [town.person.sorted("name", ascending: false)], offset: 1, limit: 3),
        ]
        for request in requests {
            let list = try town.rows(request)
            let keys = Array(list.map(\.key).reversed())
            var (found, nested, byKey): ([Row], [Int], [Row]) = ([], [], [])
            try town.read { reader in
                try reader.forEachRow(request) { row in
                    nested.append((try? town.rows(request).count) ?? -1)
                    found.append(row)
                }
                try reader.forEachRow(root: root, keys: keys) { byKey.append($0) }
            }
            try town.expectRows(found, list, "the rows, in their order")
            try expectEqual(Set(nested), list.isEmpty ? [] : [list.count], "the numbers of rows of a second reader")
            try expectEqual(byKey.map(\.key).sorted(), keys.sorted(), "the keys of the rows that are read by key")
        }
    }

    private static func sortsEveryKind(_ session: Session) throws {
        let everything = try session.entity("Everything")
        var random = SeededGenerator(seed: Settings.seed)
        for (name, type) in Domain.types {
            let column = "optional \(name)"
            var values = try RandomValue.extremes(type.columnKind).filter { $0.tailSize < 1_000 } + [.null]
            values += (0..<50).map { _ in RandomValue.any(type.columnKind, &random) }
            let keys = try session.insert("Everything", all: values.shuffled(using: &random).map { [column: $0] })
            let mine = RowPredicate.compare(.key, .greaterOrEqual, .value(.integer(keys[0])))
            for ascending in [true, false] {
                let request = try everything.request(
                    where: mine, order: [everything.sorted(column, ascending: ascending)])
                let found = try session.values(of: column, in: request)
                try expectEqual(found.count, values.count, "the number of rows")
                for (one, next) in zip(found, found.dropFirst()) {
                    let order = ascending ? ValueOrdering.sortOrder(one, next) : ValueOrdering.sortOrder(next, one)
                    try expect(
                        order != .orderedDescending, "\(one) and \(next) the other way round, ascending: \(ascending)")
                }
            }
        }
    }
}
