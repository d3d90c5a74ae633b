import CofferEvaluation
import CofferStorage
import Foundation

/// The cases about conditions on rows: comparisons, null, lists, entities and Boolean operators.
extension ConformanceCase {
    /// What a condition on rows means.
    static let predicates: [ConformanceCase] = [
        ConformanceCase("predicates/null-equality", "Null equals null and nothing else; 'not equal' is the opposite.") {
            let town = try $0.town()
            let nick = try town.person["nick"]
            try expectEqual(try town.names(town.person, where: nick == .null), ["Bob", "Cleo"], "nick = null")
            try expectEqual(
                try town.names(town.person, where: nick != .null), ["Ann", "Dan", "Eve", "ann"], "nick != null")
            try expectEqual(
                try town.names(town.person, where: nick != .text("annie")), ["Bob", "Cleo", "Dan", "Eve", "ann"],
                "nick != 'annie', nulls included")
        },
        ConformanceCase(
            "predicates/null-is-unordered", "Null is neither less nor greater than anything, null included."
        ) {
            let town = try $0.town()
            let order = try town.person["order"]
            for relation in [RowPredicate.Comparison.less, .lessOrEqual, .greater, .greaterOrEqual] {
                let found = try town.names(town.person, where: .compare(order, relation, .value(.null)))
                try expectEqual(found, [], "order \(relation) null")
                let same = try town.names(town.person, where: .compare(order, relation, order))
                let orEqual = relation == .lessOrEqual || relation == .greaterOrEqual
                try expectEqual(same, orEqual ? ["Ann", "Cleo", "Dan", "ann"] : [], "order \(relation) order")
            }
        },
        ConformanceCase("predicates/not-is-two-valued", "'Not' of a comparison with null is true, not unknown.") {
            let town = try $0.town()
            let order = try town.person["order"]
            try expectEqual(
                try town.names(town.person, where: .not(order > .integer(2))), ["Bob", "Cleo", "Dan", "Eve"],
                "not (order > 2)")
            try expectEqual(
                try town.names(town.person, where: .not(.and([order > .integer(0), .constant(true)]))), ["Bob", "Eve"],
                "not (order > 0 and true)")
            try expectEqual(
                try town.names(town.person, where: .not(.isIn(order, [.integer(3)]))), ["Bob", "Cleo", "Dan", "Eve"],
                "not (order in 3)")
        },
        ConformanceCase("predicates/comparisons", "The six comparisons compare.") {
            let town = try $0.town()
            let expected: [(RowPredicate.Comparison, [String])] = [
                (.equal, ["Dan"]), (.notEqual, ["Ann", "Bob", "Cleo", "Eve", "ann"]), (.less, ["Cleo"]),
                (.lessOrEqual, ["Cleo", "Dan"]), (.greater, ["Ann", "ann"]), (.greaterOrEqual, ["Ann", "Dan", "ann"]),
            ]
            for (relation, names) in expected {
                let found = try town.names(
                    town.person, where: .compare(town.person["order"], relation, .value(.integer(2))))
                try expectEqual(found, names, "order \(relation) 2")
            }
        },
        ConformanceCase("predicates/columns", "Two columns of a row can be compared.") {
            let town = try $0.town()
            let found = try town.names(
                town.person, where: .compare(town.person["order"], .greater, town.person["height"]))
            try expectEqual(found, ["Ann", "Dan", "ann"], "order > height")
            try expectEqual(
                try town.names(town.person, where: .compare(town.person["nick"], .equal, town.person["height"])),
                ["Bob"], "nick = height, both null for Bob")
        },
        ConformanceCase("predicates/text-is-bytes", "Text compares by its UTF-8 bytes: case and composition matter.") {
            let session = try $0.open()
            let tag = try session.entity("Tag")
            let labels = ["a", "A", "b", "é", "e\u{301}", "z", "a ", "", "\u{FF5E}", "\u{1F600}", "a\u{0}", "aa"]
            for label in labels { try session.insert("Tag", ["label": .text(label)]) }
            for label in labels {
                let equal = try session.rows(tag.request(where: tag["label"] == .text(label)))
                try expectEqual(try equal.map { try tag.value("label", of: $0) }, [.text(label)], "equal to '\(label)'")
                let less = try session.count(tag.request(where: tag["label"] < .text(label)))
                let expected = labels.filter { ValueOrdering.compare(.text($0), .text(label)) == .orderedAscending }
                    .count
                try expectEqual(less, expected, "how many of \(labels) are less than '\(label)'")
            }
        },
        ConformanceCase(
            "predicates/numbers-mix", "Integers, doubles, decimals and booleans compare by their exact value."
        ) {
            try mixesNumbers($0)
        },
        ConformanceCase("predicates/incomparable", "Values of kinds that cannot be compared are unequal and unordered.")
        {
            let town = try $0.town()
            let name = try town.person["name"]
            for value in [Value.integer(0), .boolean(true), .date(0), .double(1)] {
                try expectEqual(try town.names(town.person, where: name == value), [], "name = \(value)")
                try expectEqual(try town.names(town.person, where: name < value), [], "name < \(value)")
                try expectEqual(try town.names(town.person, where: name > value), [], "name > \(value)")
                try expectEqual(try town.names(town.person, where: name != value).count, 6, "name != \(value)")
            }
        },
        ConformanceCase("predicates/in-list", "A value is in a list when it equals one of its values; null is in none.")
        {
            let town = try $0.town()
            let order = try town.person["order"]
            try expectEqual(
                try town.names(town.person, where: .isIn(order, [.integer(3), .integer(1), .integer(3), .integer(9)])),
                ["Ann", "Cleo", "ann"], "order in 3, 1, 3, 9")
            try expectEqual(try town.names(town.person, where: .isIn(order, [])), [], "order in an empty list")
            try expectEqual(
                try town.names(town.person, where: .not(.isIn(order, []))).count, 6, "order not in an empty list")
            try expectEqual(
                try town.names(town.person, where: .isIn(town.person["nick"], [.text("Annie"), .text("eve")])), ["ann"],
                "nick in 'Annie', 'eve'")
            try expectEqual(
                try town.names(town.person, where: .isIn(.key, [.integer(town.key("Bob")), .integer(-1)])), ["Bob"],
                "the key in a list")
        },
        ConformanceCase("predicates/long-list", "A list may be longer than any limit of the database.") {
            let town = try $0.town()
            let list = (0..<70_000).map { Value.integer(Int64($0 + 2)) }
            let found = try town.names(town.person, where: .isIn(town.person["order"], list))
            try expectEqual(found, ["Ann", "Dan", "ann"], "order in 2 ..< 70,002")
        },
        ConformanceCase(
            "predicates/constants", "A constant matches every row or none; an empty 'and' all, an empty 'or' none."
        ) {
            let town = try $0.town()
            let counts: [(RowPredicate, Int)] = [
                (.constant(true), 6), (.constant(false), 0), (.and([]), 6), (.or([]), 0), (.not(.and([])), 0),
                (.not(.or([])), 6), (.and([.constant(true), .or([])]), 0),
                (.compare(.value(.integer(1)), .less, .value(.double(1.5))), 6),
            ]
            for (predicate, count) in counts {
                try expectEqual(try town.names(town.person, where: predicate).count, count, "\(predicate)")
            }
        },
        ConformanceCase(
            "predicates/deep", "Conditions nest deeper than people write them, and have thousands of parts."
        ) {
            let town = try $0.town()
            var predicate = try town.person["name"] == .text("Dan")
            let hasName = try town.person["name"] != .null
            for _ in 0..<6 { predicate = .not(.and([.or([predicate, try town.person["name"] == .null]), hasName])) }
            try expectEqual(
                try town.names(town.person, where: predicate), ["Dan"], "18 levels of 'not', 'and' and 'or'")
            let many = RowPredicate.or(try (0..<2_000).map { try town.person["order"] == .integer(Int64($0 + 2)) })
            try expectEqual(try town.names(town.person, where: many), ["Ann", "Dan", "ann"], "2,000 parts of an 'or'")
        },
        ConformanceCase(
            "predicates/very-deep", "Conditions nest through relationships as deeply as a program makes them."
        ) {
            let town = try $0.town()
            let friends = try town.person.relationship("friends")
            var predicate = RowPredicate.constant(true)
            for _ in 0..<60 { predicate = .some(from: [], relationship: friends, .not(.not(predicate))) }
            let request = town.person.request(
                where: predicate, order: [try town.person.sorted("name", ascending: false)])
            let session = town.session
            try expectEqual(
                town.names(try session.keys(request), in: town.person), ["Dan", "Bob", "Ann"], "the keys")
            try expectEqual(
                town.names(try session.rows(request).map(\.key), in: town.person), ["Dan", "Bob", "Ann"], "the rows")
            try expectEqual(try session.count(request), 3, "the count")
            let sum = ValueRequest.Term.aggregate(.sum, try town.person["order"])
            let values = try session.values(
                ValueRequest(rows: town.person.request(where: predicate), terms: [sum]))
            try expectEqual(values, [[.integer(5)]], "a sum")
        },
        ConformanceCase("predicates/entity", "A condition can name the entities a row may be of.") {
            let town = try $0.town()
            let students = RowPredicate.isEntity([town.student.entity.index])
            try expectEqual(try town.names(town.creature, where: students), ["Dan", "Eve"], "the students among all")
            try expectEqual(
                try town.names(
                    town.creature, where: .not(.isEntity([town.pet.entity.index, town.person.entity.index]))),
                ["Dan", "Eve"], "neither pets nor mere persons")
            try expectEqual(try town.names(town.creature, where: .isEntity([])), [], "of no entity")
        },
        ConformanceCase("predicates/key", "A condition can be about the key.") {
            let town = try $0.town()
            let bob = try Value.integer(town.key("Bob"))
            try expectEqual(try town.names(town.person, where: .key == bob), ["Bob"], "the key = Bob's")
            try expectEqual(
                try town.names(town.person, where: .key > bob), ["Cleo", "Dan", "Eve", "ann"], "the key > Bob's")
            try expectEqual(
                try town.names(town.person, where: .compare(.key, .equal, town.person["mentor"])), [], "own mentor")
        },
    ]

    private static func mixesNumbers(_ context: TestContext) throws {
        let session = try context.open()
        let everything = try session.entity("Everything")
        let big: Int64 = 9_007_199_254_740_993
        let rows: [(Int64, Double, String, Bool)] = [
            (1, 1, "1", true), (0, 0.5, "0.5", false), (2, 1.5, "-2", true), (big, 9_007_199_254_740_992, "0.1", true),
            (-1, 0.1, "0.1", false), (.max, 9_223_372_036_854_775_808, "9223372036854775808", false),
        ]
        for (integer, double, decimal, boolean) in rows {
            try session.insert(
                "Everything",
                [
                    "integer": .integer(integer), "double": .double(double), "decimal": .decimal(decimal),
                    "boolean": .boolean(boolean),
                ])
        }
        let names = ["integer", "double", "decimal", "boolean"]
        let found = try session.rows(everything.request())
        for left in names {
            for right in names {
                for relation in RowPredicate.Comparison.allCases {
                    let keys = try session.keys(
                        everything.request(where: .compare(everything[left], relation, everything[right])))
                    let expected = try found.filter {
                        try holds(relation, everything.value(left, of: $0), everything.value(right, of: $0))
                    }
                    try expectEqual(keys, expected.map(\.key), "\(left) \(relation) \(right), column with column")
                    for value in try found.map({ try everything.value(right, of: $0) }) {
                        let keys = try session.keys(
                            everything.request(where: .compare(everything[left], relation, .value(value))))
                        let expected = try found.filter { try holds(relation, everything.value(left, of: $0), value) }
                        try expectEqual(keys, expected.map(\.key), "\(left) \(relation) \(value)")
                    }
                }
            }
        }
    }

    private static func holds(_ relation: RowPredicate.Comparison, _ left: Value, _ right: Value) -> Bool {
        let order = ValueOrdering.compare(left, right)
        return switch relation {
        case .equal: ValueOrdering.isEqual(left, right)
        case .notEqual: !ValueOrdering.isEqual(left, right)
        case .less: order == .orderedAscending
        case .lessOrEqual: order == .orderedAscending || order == .orderedSame
        case .greater: order == .orderedDescending
        case .greaterOrEqual: order == .orderedDescending || order == .orderedSame
        }
    }
}
