import CofferEvaluation
import CofferStorage
import Foundation

/// The cases about conditions on rows: comparisons, null, lists, entities and Boolean operators.
extension ConformanceCase {
    /// The meaning of conditions on rows.
    static let predicates: [ConformanceCase] = [
        withTown("predicates/null-equality", "Null equals only null; 'not equal' is the opposite of 'equal'.") {
            town in
            let nick = try town.person["nick"]
            try town.expectPeople([
                ("nick = null", nick == .null, ["Bob", "Cleo"]),
                ("nick != null", nick != .null, ["Ann", "Dan", "Eve", "ann"]),
                ("nick != 'annie', nulls included", nick != .text("annie"), ["Bob", "Cleo", "Dan", "Eve", "ann"]),
            ])
        },
        withTown(
            "predicates/null-is-unordered", "Null is neither less nor greater than any value, including null."
        ) { town in
            let order = try town.person["order"]
            for relation in [RowPredicate.Comparison.less, .lessOrEqual, .greater, .greaterOrEqual] {
                try town.expectPeople(where: .compare(order, relation, .value(.null)), [], "order \(relation) null")
                let orEqual = relation == .lessOrEqual || relation == .greaterOrEqual
                try town.expectPeople(
                    where: .compare(order, relation, order), orEqual ? ["Ann", "Cleo", "Dan", "ann"] : [],
                    "order \(relation) order")
            }
        },
        withTown("predicates/not-is-two-valued", "'Not' of a comparison with null is true, not unknown.") { town in
            let order = try town.person["order"]
            try town.expectPeople([
                ("not (order > 2)", .not(order > .integer(2)), ["Bob", "Cleo", "Dan", "Eve"]),
                ("not (order > 0 and true)", .not(.and([order > .integer(0), .constant(true)])), ["Bob", "Eve"]),
                ("not (order in 3)", .not(.isIn(order, [.integer(3)])), ["Bob", "Cleo", "Dan", "Eve"]),
            ])
        },
        withTown("predicates/comparisons", "Each of the six comparison operators compares values.") { town in
            let expected: [(RowPredicate.Comparison, [String])] = [
                (.equal, ["Dan"]), (.notEqual, ["Ann", "Bob", "Cleo", "Eve", "ann"]), (.less, ["Cleo"]),
                (.lessOrEqual, ["Cleo", "Dan"]), (.greater, ["Ann", "ann"]), (.greaterOrEqual, ["Ann", "Dan", "ann"]),
            ]
            let order = try town.person["order"]
            try town.expectPeople(expected.map { ("order \($0) 2", .compare(order, $0, .value(.integer(2))), $1) })
        },
        withTown("predicates/columns", "Two columns of a row can be compared.") { town in
            let (order, nick, height) = try (town.person["order"], town.person["nick"], town.person["height"])
            try town.expectPeople(where: .compare(order, .greater, height), ["Ann", "Dan", "ann"], "order > height")
            try town.expectPeople(where: .compare(nick, .equal, height), ["Bob"], "nick = height, both null for Bob")
        },
        withStore(
            "predicates/text-is-bytes", "Strings are compared by their UTF-8 bytes: case and composition matter."
        ) { session in
            let tag = try session.tag
            let labels = ["a", "A", "b", "é", "e\u{301}", "z", "a ", "", "\u{FF5E}", "\u{1F600}", "a\u{0}", "aa"]
            for label in labels { try session.insert("Tag", ["label": .text(label)]) }
            for label in labels {
                let equal = try session.values(of: "label", in: tag.request(where: tag["label"] == .text(label)))
                try expectEqual(equal, [.text(label)], "equal to '\(label)'")
                let less = try session.count(tag.request(where: tag["label"] < .text(label)))
                let expected = labels.filter { ValueOrdering.compare(.text($0), .text(label)) == .orderedAscending }
                try expectEqual(less, expected.count, "the number of \(labels) less than '\(label)'")
            }
        },
        withStore(
            "predicates/numbers-mix", "Integers, doubles, decimals and booleans are compared by their exact values.",
            mixesNumbers),
        withTown(
            "predicates/incomparable", "Values of incomparable types are unequal and unordered."
        ) { town in
            let name = try town.person["name"]
            for value in [Value.integer(0), .boolean(true), .date(0), .double(1)] {
                try town.expectPeople(where: name == value, [], "name = \(value)")
                try town.expectPeople(where: name < value, [], "name < \(value)")
                try town.expectPeople(where: name > value, [], "name > \(value)")
                try town.expectPeople(where: name != value, Session.everyone, "name != \(value)")
            }
        },
        withTown(
            "predicates/in-list", "A list contains a value that equals one of its elements; null is in no list."
        ) { town in
            let (order, nick) = try (town.person["order"], town.person["nick"])
            try town.expectPeople([
                (
                    "order in 3, 1, 3, 9", .isIn(order, [.integer(3), .integer(1), .integer(3), .integer(9)]),
                    ["Ann", "Cleo", "ann"]
                ),
                ("order in an empty list", .isIn(order, []), []),
                ("order not in an empty list", .not(.isIn(order, [])), Session.everyone),
                ("nick in 'Annie', 'eve'", .isIn(nick, [.text("Annie"), .text("eve")]), ["ann"]),
                ("the key in a list", .isIn(.key, [.integer(town.key("Bob")), .integer(-1)]), ["Bob"]),
            ])
        },
        withTown("predicates/long-list", "A list can be longer than any limit of the database.") { town in
            let list = (0..<70_000).map { Value.integer(Int64($0 + 2)) }
            let predicate = try RowPredicate.isIn(town.person["order"], list)
            try town.expectPeople(where: predicate, ["Ann", "Dan", "ann"], "order in 2 ..< 70,002")
        },
        withTown(
            "predicates/constants",
            "A constant matches all rows or none; an empty 'and' matches all rows, an empty 'or' none."
        ) { town in
            let expected: [(RowPredicate, Bool)] = [
                (.constant(true), true), (.constant(false), false), (.and([]), true), (.or([]), false),
                (.not(.and([])), false), (.not(.or([])), true), (.and([.constant(true), .or([])]), false),
                (.compare(.value(.integer(1)), .less, .value(.double(1.5))), true),
            ]
            try town.expectPeople(expected.map { ("\($0)", $0, $1 ? Session.everyone : []) })
        },
        withTown(
            "predicates/deep", "Conditions can have 18 levels, and thousands of parts."
        ) { town in
            let (name, order) = try (town.person["name"], town.person["order"])
            var predicate = name == .text("Dan")
            for _ in 0..<6 { predicate = .not(.and([.or([predicate, name == .null]), name != .null])) }
            try town.expectPeople(where: predicate, ["Dan"], "18 levels of 'not', 'and' and 'or'")
            let many = RowPredicate.or((0..<2_000).map { order == .integer(Int64($0 + 2)) })
            try town.expectPeople(where: many, ["Ann", "Dan", "ann"], "2,000 parts of an 'or'")
        },
        withTown(
            "predicates/very-deep", "Conditions can have many levels of relationships."
        ) { town in
            let person = try town.person
            var predicate = RowPredicate.constant(true)
            for _ in 0..<60 { predicate = try town.some("friends", .not(.not(predicate))) }
            let order = [try person.sorted("name", ascending: false)]
            let request = person.request(where: predicate, order: order)
            try expectEqual(town.names(try town.keys(request), in: person), ["Dan", "Bob", "Ann"], "the keys")
            try town.expectNames(of: person, where: predicate, order: order, ["Dan", "Bob", "Ann"], "the rows")
            try expectEqual(try town.count(request), 3, "the count")
            let sum = person.values([.aggregate(.sum, try person["order"])], where: predicate)
            try town.expectValues(sum, [[.integer(5)]], "a sum")
        },
        withTown("predicates/entity", "A condition can test the entity of a row.") { town in
            let (person, student, pet) = try (town.person.entity, town.student.entity, town.pet.entity)
            let others = RowPredicate.not(.isEntity([pet.index, person.index]))
            try town.expectNames(
                of: town.creature, where: .isEntity([student.index]), ["Dan", "Eve"], "the students among all")
            try town.expectNames(of: town.creature, where: others, ["Dan", "Eve"], "neither pets nor plain persons")
            try town.expectNames(of: town.creature, where: .isEntity([]), [], "of no entity")
        },
        withTown("predicates/key", "A condition can compare the key of a row.") { town in
            let bob = try Value.integer(town.key("Bob"))
            try town.expectPeople(where: .key == bob, ["Bob"], "the key = Bob's")
            try town.expectPeople(where: .key > bob, ["Cleo", "Dan", "Eve", "ann"], "the key > Bob's")
            try town.expectPeople(where: .compare(.key, .equal, town.person["mentor"]), [], "own mentor")
        },
    ]

    private static func mixesNumbers(_ session: Session) throws {
        let everything = try session.entity("Everything")
        let big: Int64 = 9_007_199_254_740_993
        let rows: [(Int64, Double, String, Bool)] = [
            (1, 1, "1", true), (0, 0.5, "0.5", false), (2, 1.5, "-2", true), (big, 9_007_199_254_740_992, "0.1", true),
            (-1, 0.1, "0.1", false), (.max, 9_223_372_036_854_775_808, "9223372036854775808", false),
        ]
        for (integer, double, decimal, boolean) in rows {
            let numbers: [String: Value] = [
                "integer": .integer(integer), "double": .double(double), "decimal": try .decimal(decimal),
                "boolean": .boolean(boolean),
            ]
            try session.insert("Everything", numbers)
        }
        let names = ["integer", "double", "decimal", "boolean"]
        let found = try session.rows(everything.request())
        /// Checks the rows for which a comparison of a column with another operand is true.
        ///
        /// The closure returns the value of the other operand in a row.
        func check(
            _ left: String, _ relation: RowPredicate.Comparison, _ right: RowExpression, _ what: String,
            _ value: (Row) throws -> Value
        ) throws {
            let keys = try session.keys(everything.request(where: .compare(everything[left], relation, right)))
            let expected = try found.filter { try holds(relation, everything.value(left, of: $0), value($0)) }
            try expectEqual(keys, expected.map(\.key), "\(left) \(relation) \(what)")
        }
        for left in names {
            for right in names {
                for relation in RowPredicate.Comparison.allCases {
                    try check(left, relation, everything[right], "\(right), column with column") {
                        try everything.value(right, of: $0)
                    }
                    for value in try found.map({ try everything.value(right, of: $0) }) {
                        try check(left, relation, .value(value), "\(value)") { _ in value }
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
