import CofferEvaluation
import CofferStorage
import Foundation

/// The cases about fetching: the rows, the order, the offset, the limit and the count of a request.
extension ConformanceCase {
    /// Which rows a request finds, in what order, and how many.
    static let fetching: [ConformanceCase] = [
        ConformanceCase("fetching/empty-store", "A new store has no rows.") {
            let session = try $0.open()
            let creature = try session.entity("Creature")
            try expectEqual(try session.rows(creature.request()).map(\.key), [], "the rows")
            try expectEqual(try session.count(creature.request()), 0, "the count")
            try expect(try !session.exists("Creature", 1), "no row with the key 1")
        },
        ConformanceCase("fetching/key-order", "Without an order, rows come in the order of their keys.") {
            let session = try $0.open()
            let keys = Array(try session.reserve("Tag", 50))
            var random = SeededGenerator(seed: Settings.seed)
            for part in [0..<20, 20..<50] {
                try session.commit { changes in
                    for key in keys[part].shuffled(using: &random).map({ $0 }) {
                        try changes.inserts.append(.init(row: session.entity("Tag").row(key)))
                    }
                }
            }
            try expectEqual(try session.rows(session.entity("Tag").request()).map(\.key), keys, "the keys")
        },
        ConformanceCase(
            "fetching/null-sorts-first", "Null sorts before every value in ascending order, last in descending."
        ) {
            let town = try $0.town()
            try expectEqual(
                try town.names(town.person, order: [town.person.sorted("height")]),
                ["Bob", "Eve", "ann", "Cleo", "Ann", "Dan"], "by height, ascending")
            try expectEqual(
                try town.names(town.person, order: [town.person.sorted("height", ascending: false)]),
                ["Ann", "Dan", "Cleo", "ann", "Bob", "Eve"], "by height, descending")
        },
        ConformanceCase(
            "fetching/order-by-several", "A later key of an order decides where the earlier ones are equal."
        ) {
            let town = try $0.town()
            try expectEqual(
                try town.names(
                    town.person, order: [town.person.sorted("order", ascending: false), town.person.sorted("name")]),
                ["Ann", "ann", "Dan", "Cleo", "Bob", "Eve"], "by order descending, then name")
            try expectEqual(
                try town.names(
                    town.person, order: [town.person.sorted("order"), town.person.sorted("name", ascending: false)]),
                ["Eve", "Bob", "Cleo", "Dan", "ann", "Ann"], "by order, then name descending")
        },
        ConformanceCase(
            "fetching/ties-by-key",
            "Rows that an order leaves equal come in the order of their keys, descending or not."
        ) {
            let town = try $0.town()
            for ascending in [true, false] {
                let order = [RowSort(.value(.integer(1)), ascending: ascending)]
                try expectEqual(
                    try town.names(town.person, order: order), ["Ann", "Bob", "Cleo", "Dan", "Eve", "ann"],
                    "by a constant, ascending: \(ascending)")
            }
            try expectEqual(
                try town.names(town.person, order: [RowSort(.key, ascending: false)]),
                ["ann", "Eve", "Dan", "Cleo", "Bob", "Ann"], "by the key, descending")
            try expectEqual(
                try town.names(town.person, order: [RowSort(.key, ascending: true), town.person.sorted("order")]),
                ["Ann", "Bob", "Cleo", "Dan", "Eve", "ann"], "by the key, then something else")
        },
        ConformanceCase("fetching/text-order", "Text sorts by its UTF-8 bytes.") {
            let session = try $0.open()
            let tag = try session.entity("Tag")
            let labels = [
                "\u{1F600}", "b", "B", "é", "e\u{301}", "", "a", "\u{FF5E}", "ab", "a b", "10", "9", "Z", "a\u{0}",
            ]
            for label in labels { try session.insert("Tag", ["label": .text(label)]) }
            let found = try session.rows(tag.request(order: [tag.sorted("label")])).map {
                try tag.value("label", of: $0)
            }
            let expected = labels.map(Value.text).sorted { ValueOrdering.sortOrder($0, $1) == .orderedAscending }
            try expectEqual(found, expected, "the labels in order")
        },
        ConformanceCase(
            "fetching/order-of-every-kind", "Values of every kind sort by their meaning, not by how they are kept."
        ) {
            try sortsEveryKind($0)
        },
        ConformanceCase(
            "fetching/order-through-relationship", "An order may go through a to-one relationship; none is null."
        ) {
            let town = try $0.town()
            try expectEqual(
                try town.names(town.pet, order: [town.pet.sorted("owner.name", ascending: false)]),
                ["Tom", "Rex", "Mia", "Stray"], "pets by their owner's name, descending")
            try expectEqual(
                try town.names(
                    town.person,
                    order: [RowSort(.count(relationship: town.person.relationship("pets")), ascending: false)]),
                ["Ann", "Bob", "Cleo", "Dan", "Eve", "ann"], "people by how many pets they have, descending")
        },
        ConformanceCase("fetching/limit", "A limit cuts after the order; a limit of 0 finds nothing.") {
            let town = try $0.town()
            let order = try [town.person.sorted("name", ascending: false)]
            try expectEqual(try town.names(town.person, order: order, limit: 2), ["ann", "Eve"], "the last 2 by name")
            try expectEqual(try town.names(town.person, limit: 0), [], "limit 0")
            try expectEqual(try town.names(town.person, limit: 100).count, 6, "limit 100")
        },
        ConformanceCase("fetching/offset", "An offset leaves out the first rows, with and without a limit.") {
            let town = try $0.town()
            let order = try [town.person.sorted("name")]
            try expectEqual(try town.names(town.person, order: order, offset: 4), ["Eve", "ann"], "offset 4")
            try expectEqual(
                try town.names(town.person, order: order, offset: 1, limit: 2), ["Bob", "Cleo"], "1, limit 2")
            try expectEqual(try town.names(town.person, offset: 6), [], "an offset of all there is")
            try expectEqual(try town.names(town.person, offset: 100, limit: 1), [], "an offset beyond the end")
        },
        ConformanceCase(
            "fetching/count", "A count is the number of rows the same request would find, offset and limit included."
        ) {
            let town = try $0.town()
            let named = try town.person["nick"] != .null
            for request in [
                town.person.request(), town.person.request(where: named), town.person.request(where: named, limit: 3),
                town.person.request(where: named, offset: 1), town.person.request(offset: 4, limit: 5),
                town.person.request(offset: 9), town.person.request(limit: 0),
            ] {
                try expectEqual(try town.session.count(request), try town.session.rows(request).count, "\(request)")
            }
            try expectEqual(try town.session.count(town.person.request(where: named, limit: 3)), 3, "limited to 3")
        },
        ConformanceCase(
            "fetching/keys", "The keys are those of the rows the same request would find, in the same order."
        ) {
            let town = try $0.town()
            let order = try [town.person.sorted("height", ascending: false), town.person.sorted("name")]
            for request in [
                town.person.request(order: order), town.person.request(order: order, offset: 1, limit: 3),
                town.student.request(order: order), town.creature.request(order: [RowSort(.key, ascending: false)]),
            ] {
                try expectEqual(try town.session.keys(request), try town.session.rows(request).map(\.key), "\(request)")
            }
        },
        ConformanceCase("fetching/subentities", "A request finds the rows of sub-entities, unless told not to.") {
            let town = try $0.town()
            var request = town.person.request()
            try expectEqual(try town.names(town.person).count, 6, "people, students included")
            try expectEqual(try town.names(town.student), ["Dan", "Eve"], "students")
            request.includesSubentities = false
            try expectEqual(
                town.names(try town.session.keys(request), in: town.person), ["Ann", "Bob", "Cleo", "ann"],
                "mere persons")
            try expectEqual(try town.session.count(request), 4, "the count of mere persons")
        },
        ConformanceCase(
            "fetching/abstract-entity", "An abstract entity has no rows of its own, but those of its sub-entities."
        ) {
            let town = try $0.town()
            try expectEqual(try town.names(town.creature).count, 10, "creatures")
            var request = town.creature.request()
            request.includesSubentities = false
            try expectEqual(try town.session.count(request), 0, "mere creatures")
            let order = try [town.creature.sorted("order"), town.creature.sorted("name")]
            try expectEqual(
                try town.names(town.creature, order: order),
                ["Bob", "Eve", "Mia", "Cleo", "Dan", "Ann", "Tom", "ann", "Stray", "Rex"], "by an inherited column")
        },
        ConformanceCase(
            "fetching/whole-rows",
            "A row comes with its own entity and all of its columns, whichever entity was asked for."
        ) {
            let town = try $0.town()
            let rows = try town.session.rows(town.creature.request(where: town.creature["name"] == .text("Dan")))
            try expectEqual(rows.map(\.entity), [town.student.entity.index], "Dan's entity")
            try expectEqual(rows[0].slotCount, town.student.entity.columns.count, "the number of columns")
            try expectEqual(try town.student.value("nick", of: rows[0]), .text("danny"), "a column of a sub-entity")
            try expectEqual(try town.student.value("grade", of: rows[0]), .null, "a column of its own")
            let pet = try town.session.row("Creature", town.key("Rex"))
            try expectEqual(pet.slotCount, town.pet.entity.columns.count, "the number of Rex's columns")
        },
        ConformanceCase(
            "fetching/by-key",
            "A row is found by its key, among all entities of the tree; a key nobody has finds nothing."
        ) {
            let town = try $0.town()
            try expectEqual(try town.session.row("Creature", town.key("Dan")).key, try town.key("Dan"), "the key")
            try expectEqual(try town.session.row("Creature", town.key("Dan")).version, 1, "the version")
            try expect(try !town.session.exists("Creature", 1 << 40), "no row with an unused key")
            try expect(try !town.session.exists("Creature", -1), "no row with a negative key")
        },
        ConformanceCase(
            "fetching/by-keys", "Any number of rows is found by their keys; those that do not exist are left out."
        ) {
            let session = try $0.open()
            let tag = try session.entity("Tag")
            let keys = Array(try session.reserve("Tag", 3_000))
            try session.commit { changes in
                for key in keys { try changes.inserts.append(.init(row: tag.row(key, ["label": .text("\(key)")]))) }
            }
            let asked = Array(keys.reversed()) + (1...40_000).map { $0 + (1 << 40) }
            let root = tag.entity.root
            let rows = try session.store.read { reader throws(StorageError) in try reader.rows(root: root, keys: asked)
            }
            try expectEqual(rows.map(\.key).sorted(), keys, "the keys found")
            try expect(
                try rows.allSatisfy { try tag.value("label", of: $0) == .text("\($0.key)") },
                "each row with its own columns")
            let none = try session.store.read { reader throws(StorageError) in try reader.rows(root: root, keys: []) }
            try expectEqual(none.count, 0, "the number of rows for no keys")
        },
        ConformanceCase(
            "fetching/row-by-row",
            "Rows that are handed over one by one are those of the list, also while another reader is used."
        ) {
            try handsOverRowByRow($0)
        },
        ConformanceCase("fetching/roots-are-apart", "Trees of entities have key spaces of their own.") {
            let session = try $0.open()
            let book = try session.newKey("Book")
            let tags = try session.reserve("Tag", Int(book) + 1)
            try expect(tags.contains(book) || tags.lowerBound > book || book > tags.upperBound, "keys")
            try session.insert("Tag", ["label": .text("only")])
            try expectEqual(try session.count(session.entity("Book").request()), 0, "the number of books")
        },
        ConformanceCase("fetching/random", "Random requests on random models find what the reference evaluator says.") {
            try DifferentialTest.run($0, .rows)
        },
    ]

    private static func handsOverRowByRow(_ context: TestContext) throws {
        let town = try context.town()
        let (session, root) = (town.session, town.creature.entity.root)
        let requests = [
            town.creature.request(),
            try town.person.request(order: [town.person.sorted("name", ascending: false)], offset: 1, limit: 3),
        ]
        for request in requests {
            let list = try session.rows(request)
            let keys = Array(list.map(\.key).reversed())
            var (found, nested, byKey): ([Row], [Int], [Row]) = ([], [], [])
            try session.store.read { reader throws(StorageError) in
                try reader.forEachRow(request) { row in
                    nested.append((try? session.rows(request).count) ?? -1)
                    found.append(row)
                }
                try reader.forEachRow(root: root, keys: keys) { byKey.append($0) }
            }
            try expectEqual(found.map(\.key), list.map(\.key), "the keys, in their order")
            try expectEqual(Set(nested), list.isEmpty ? [] : [list.count], "the rows another reader finds meanwhile")
            try expectEqual(byKey.map(\.key).sorted(), keys.sorted(), "the keys of the rows with some keys")
            for (one, other) in zip(found, list) {
                let kinds = town.creature.layout.entities[other.entity].kinds
                try expectEqual(one.entity, other.entity, "the entity")
                try expectEqual(one.version, other.version, "the version")
                try expectEqual(one.values(kinds), other.values(kinds), "the columns")
            }
        }
    }

    private static func sortsEveryKind(_ context: TestContext) throws {
        let session = try context.open()
        let everything = try session.entity("Everything")
        var random = SeededGenerator(seed: Settings.seed)
        for (name, type) in Domain.types {
            let column = "optional \(name)"
            var values = try RandomValue.extremes(type.columnKind).filter { $0.tailSize < 1_000 } + [.null]
            values += (0..<50).map { _ in RandomValue.any(type.columnKind, &random) }
            let keys = try session.reserve("Everything", values.count)
            try session.commit { changes in
                for (key, value) in zip(keys, values.shuffled(using: &random)) {
                    try changes.inserts.append(.init(row: everything.row(key, [column: value])))
                }
            }
            let mine = RowPredicate.compare(.key, .greaterOrEqual, .value(.integer(keys.lowerBound)))
            for ascending in [true, false] {
                let request = try everything.request(
                    where: mine, order: [everything.sorted(column, ascending: ascending)])
                let found = try session.rows(request).map { try everything.value(column, of: $0) }
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
