import CofferStorage
import Foundation

/// The cases about conditions on strings, computed values, and aggregates of related objects.
extension ConformanceCase {
    /// Conditions on texts, computed values, and values of related objects.
    static let computing: [ConformanceCase] = [
        ConformanceCase("computing/texts", "Texts contain, begin with, end with, are like and match others.") {
            let town = try $0.town()
            let name = try town.person["name"]
            let expected: [(TextRelation, String, [String])] = [
                (.contains, "n", ["Ann", "Dan", "ann"]), (.contains, "", []), (.contains, "An", ["Ann"]),
                (.beginsWith, "A", ["Ann"]), (.beginsWith, "", []), (.endsWith, "nn", ["Ann", "ann"]),
                (.endsWith, "", []), (.like, "?nn", ["Ann", "ann"]), (.like, "*e*", ["Cleo", "Eve"]),
                (.like, "\\?nn", []), (.like, "ann", ["ann"]), (.matches, "[AD].n+", ["Ann", "Dan"]),
                (.matches, "A", []), (.less, "B", ["Ann"]), (.equal, "Ann", ["Ann"]),
            ]
            for (relation, text, names) in expected {
                let found = try town.names(town.person, where: .text(name, relation, .value(.text(text)), []))
                try expectEqual(found, names, "name \(relation) '\(text)'")
            }
            let mirrored = RowPredicate.text(.value(.text("Dana")), .beginsWith, name, [])
            try expectEqual(try town.names(town.person, where: mirrored), ["Dan"], "'Dana' begins with name")
        },
        ConformanceCase("computing/text-options", "Texts compare without regard to case and diacritics where asked to.")
        {
            let town = try $0.town()
            let nick = try town.person["nick"]
            let expected: [(TextRelation, String, TextOptions, [String])] = [
                (.equal, "ANNIE", [.caseInsensitive], ["Ann", "ann"]),
                (.equal, "ànnie", [.diacriticInsensitive], ["Ann"]),
                (.contains, "NÏ", [.caseInsensitive, .diacriticInsensitive], ["Ann", "ann"]),
                (.like, "?V?", [.caseInsensitive], ["Eve"]), (.matches, "eve", [.caseInsensitive], ["Eve"]),
                (.beginsWith, "an", [.caseInsensitive, .normalized], ["Ann"]),
                (.greater, "annie", [.caseInsensitive], ["Dan", "Eve"]),
            ]
            for (relation, text, options, names) in expected {
                let found = try town.names(town.person, where: .text(nick, relation, .value(.text(text)), options))
                try expectEqual(found, names, "nick \(relation)\(options) '\(text)'")
            }
        },
        ConformanceCase("computing/text-null", "A condition on texts is false where one of them is null.") {
            let town = try $0.town()
            let nick = try town.person["nick"]
            for relation in TextRelation.allCases where relation != .matches {
                let condition = RowPredicate.text(nick, relation, nick, [.caseInsensitive])
                let found = try town.names(
                    town.person, where: .and([condition, .compare(nick, .equal, .value(.null))]))
                try expectEqual(found, [], "null \(relation) null")
            }
            let likeNull = RowPredicate.not(.text(nick, .like, .value(.null), []))
            try expectEqual(try town.names(town.person, where: likeNull).count, 6, "not (nick like null)")
        },
        ConformanceCase("computing/functions", "Functions compute from values; what has no result is null.") {
            let town = try $0.town()
            let order = try town.person["order"]
            let (two, height) = (RowExpression.value(.integer(2)), try town.person["height"])
            let expected: [(RowExpression, Value, [String])] = [
                (.function(.add, [order, two]), .integer(5), ["Ann", "ann"]),
                (.function(.divide, [order, two]), .integer(1), ["Ann", "Dan", "ann"]),
                (.function(.divide, [order, height]), .double(6), ["ann"]),
                (
                    .function(.divide, [order, .value(.integer(0))]), .null,
                    ["Ann", "Bob", "Cleo", "Dan", "Eve", "ann"]
                ),
                (.function(.modulus, [order, two]), .integer(0), ["Dan"]),
                (.function(.power, [order, two]), .integer(9), ["Ann", "ann"]),
                (.function(.negate, [order]), .integer(-1), ["Cleo"]),
                (.function(.floor, [height]), .double(1), ["Ann", "Cleo", "Dan"]),
                (.function(.squareRoot, [order]), .double(1), ["Cleo"]),
                (.function(.bitwiseAnd, [order, two]), .integer(2), ["Ann", "Dan", "ann"]),
                (.function(.uppercase, [try town.person["name"]]), .text("ANN"), ["Ann", "ann"]),
                (.function(.length, [try town.person["nick"]]), .integer(3), ["Eve"]),
            ]
            for (expression, value, names) in expected {
                try expectEqual(try town.names(town.person, where: expression == value), names, "\(expression)")
            }
        },
        ConformanceCase("computing/exactness", "Integers that leave 64 bits become doubles; decimals stay exact.") {
            let town = try $0.town()
            let order = try town.person["order"]
            let most = RowExpression.value(.integer(.max))
            let beyond = RowPredicate.compare(.function(.add, [order, most]), .greater, most)
            try expectEqual(
                try town.names(town.person, where: beyond), ["Ann", "Cleo", "Dan", "ann"], "order + max > max")
            let price = RowExpression.function(.multiply, [try town.book["price"], .value(.integer(3))])
            try expectEqual(try town.names(town.book, where: price == .decimal(cents: 2997)), ["Dune"], "price * 3")
            try expectEqual(try town.names(town.book, where: price < .integer(29)), ["Emma"], "price * 3 < 29")
        },
        ConformanceCase("computing/conditional", "One of two values is chosen by a condition.") {
            let town = try $0.town()
            let (order, height) = (try town.person["order"], try town.person["height"])
            let choice = RowExpression.conditional(order > .integer(2), height, .value(.double(0)))
            try expectEqual(try town.names(town.person, where: choice > .double(1)), ["Ann"], "order > 2 ? height : 0")
            let none = try town.names(town.person, where: choice == .integer(0))
            try expectEqual(none, ["Bob", "Cleo", "Dan", "Eve"], "the other value, also where order is null")
        },
        ConformanceCase(
            "computing/aggregates", "Aggregates of related objects leave nulls out, and regard a condition on them."
        ) {
            let town = try $0.town()
            let pets = try town.person.relationship("pets")
            let (order, any) = (try town.pet["order"], RowPredicate.constant(true))
            let cats = try town.pet["species"] == .text("cat")
            func ofPets(_ aggregate: ValueRequest.Aggregate, _ condition: RowPredicate) -> RowExpression {
                .aggregate(aggregate, order, from: [], relationship: pets, where: condition)
            }
            let all = ["Ann", "Bob", "Cleo", "Dan", "Eve", "ann"]
            let expected: [(RowExpression, Value, [String])] = [
                (ofPets(.sum, any), .integer(5), ["Ann"]),
                (ofPets(.sum, any), .integer(0), ["Cleo", "Dan", "Eve", "ann"]),
                (ofPets(.average, any), .double(3), ["Bob"]), (ofPets(.minimum, cats), .integer(3), ["Bob"]),
                (ofPets(.count, cats), .integer(0), all.filter { $0 != "Bob" }),
                (.aggregate(.count, .key, from: [], relationship: pets, where: cats), .integer(1), ["Ann", "Bob"]),
                (ofPets(.maximum, any), .null, ["Cleo", "Dan", "Eve", "ann"]),
            ]
            for (expression, value, names) in expected {
                try expectEqual(
                    try town.names(town.person, where: expression == value), names, "\(expression) == \(value)")
            }
            let mentor = try town.person.relationship("mentor")
            let mentors = RowExpression.aggregate(.count, .key, from: [mentor], relationship: pets, where: any)
            try expectEqual(try town.names(town.person, where: mentors == .integer(2)), ["Bob", "Cleo"], "mentor.pets")
            try expectEqual(
                try town.names(town.person, where: mentors == .null), ["Ann", "Eve", "ann"], "without a mentor")
        },
        ConformanceCase("computing/outer", "A condition on related objects may name values of the object around it.") {
            let town = try $0.town()
            let friends = try town.person.relationship("friends")
            let order = try town.person["order"]
            let older = RowPredicate.some(
                from: [], relationship: friends, .compare(order, .greater, .outer(order)))
            try expectEqual(try town.names(town.person, where: older), ["Dan"], "a friend of a higher order")
            // A friend of a friend who is oneself: two levels out.
            let mutual = RowPredicate.some(
                from: [], relationship: friends,
                .some(from: [], relationship: friends, .compare(.key, .equal, .outer(.outer(.key)))))
            try expectEqual(
                try town.names(town.person, where: mutual), ["Ann", "Bob", "Dan"], "friends of their friends")
            let sum = RowExpression.aggregate(
                .sum, .function(.add, [order, .outer(order)]), from: [], relationship: friends, where: .constant(true))
            try expectEqual(
                try town.names(town.person, where: sum == .integer(5)), ["Ann", "Dan"], "sums with one's own")
        },
        ConformanceCase(
            "computing/aggregates-of-outer", "A value of the object around is aggregated once for each related object."
        ) {
            let town = try $0.town()
            let pets = try town.person.relationship("pets")
            let (order, any) = (try town.person["order"], RowPredicate.constant(true))
            let expected: [(ValueRequest.Aggregate, Value, [String])] = [
                (.sum, .integer(6), ["Ann"]), (.count, .integer(2), ["Ann"]), (.maximum, .integer(3), ["Ann"]),
                (.minimum, .null, ["Bob", "Cleo", "Dan", "Eve", "ann"]), (.average, .double(3), ["Ann"]),
            ]
            for (aggregate, value, names) in expected {
                let ofPets = RowExpression.aggregate(
                    aggregate, .outer(order), from: [], relationship: pets, where: any)
                try expectEqual(try town.names(town.person, where: ofPets == value), names, "\(aggregate) of order")
            }
        },
        ConformanceCase(
            "computing/beyond-64-bits",
            "An integer beyond 64 bits is a double in results and orders, a decimal by decimals, back within them itself."
        ) {
            let town = try $0.town()
            let order = try town.person["order"]
            let beyond = RowExpression.function(
                .subtract, [.value(.integer(-4096)), .function(.add, [order, .value(.integer(.max))])])
            let decimal = RowExpression.function(.add, [beyond, .value(.decimal(0))])
            let some = town.person.request(
                where: order > .integer(1), order: [RowSort(decimal, ascending: true), RowSort(.key, ascending: true)])
            let terms = [beyond, decimal, .function(.power, [order, .value(.integer(-1))])]
            let found = try town.session.values(ValueRequest(rows: some, terms: terms.map { .expression($0) }))
            let (double, digits) = (Value.double(-0x1p63 - 4096), try Value.decimal("-9223372036854780000"))
            try expectEqual(
                found.map { Array($0.prefix(2)) }, [[double, digits], [double, digits], [double, digits]],
                "-4096 - (order + max), and that among decimals")
            try expectEqual(found[1].last, .double(0.5), "2 to the power of -1")
            // Of 1 by way of an integer, of 2 and 3 by way of doubles.
            let back = RowExpression.function(
                .modulus, [.function(.multiply, [order, .value(.integer(1 << 62))]), .value(.integer(2))])
            let everyone = town.person.request()
            let groups = try town.session.values(
                ValueRequest(rows: everyone, terms: [.expression(back), .aggregate(.count, .key)], groups: [back]))
            try expectEqual(groups, [[.null, .integer(2)], [.integer(0), .integer(4)]], "the groups of 0 and 0.0")
            let least = ValueRequest(rows: everyone, terms: [.aggregate(.minimum, back), .aggregate(.maximum, back)])
            try expectEqual(try town.session.values(least), [[.integer(0), .integer(0)]], "the least and most of them")
            let sum = RowExpression.aggregate(
                .sum, .function(.add, [order, .value(.integer(.max))]), from: [],
                relationship: try town.person.relationship("pupils"), where: .constant(true))
            try expectEqual(
                try town.names(town.person, where: sum == .double(0x1p63)), ["Ann", "Bob"], "the sum of one such double"
            )
        },
        ConformanceCase("computing/division", "Integers divide towards zero; nothing can be divided by zero.") {
            let town = try $0.town()
            let order = try town.person["order"]
            func integer(_ number: Int64) -> RowExpression { .value(.integer(number)) }
            let (three, minus) = (order, RowExpression.function(.negate, [order]))
            let third = try Value.decimal("0.33333333333333333333333333333333333333")
            let expected: [(RowExpression, Value)] = [
                (.function(.divide, [three, integer(2)]), .integer(1)),
                (.function(.divide, [minus, integer(2)]), .integer(-1)),
                (.function(.modulus, [three, integer(-2)]), .integer(1)),
                (.function(.modulus, [minus, integer(2)]), .integer(-1)),
                (.function(.modulus, [minus, .value(.double(2))]), .double(-1)),
                (.function(.modulus, [minus, .value(.decimal(2))]), .decimal(-1)),
                (.function(.divide, [three, .value(.double(2))]), .double(1.5)),
                (.function(.divide, [.function(.subtract, [three, integer(2)]), .value(.decimal(3))]), third),
                (
                    .function(.divide, [.function(.subtract, [integer(.min + 3), three]), integer(-1)]), .double(0x1p63)
                ),
                (.function(.modulus, [.function(.subtract, [integer(.min + 3), three]), integer(-1)]), .integer(0)),
                (.function(.divide, [three, integer(0)]), .null),
                (.function(.modulus, [three, integer(0)]), .null),
                (.function(.divide, [three, .value(.double(0))]), .null),
                (.function(.divide, [three, .value(.decimal(0))]), .null),
                (.function(.modulus, [three, .value(.decimal(0))]), .null),
            ]
            let request = ValueRequest(
                rows: town.person.request(where: try town.person["name"] == .text("Ann")),
                terms: expected.map { .expression($0.0) })
            try expectEqual(try town.session.values(request), [expected.map(\.1)], "3 and -3 divided")
        },
        ConformanceCase("computing/random", "Random requests that compute find what the reference evaluator says.") {
            try DifferentialTest.run($0, .computing)
        },
    ]
}
