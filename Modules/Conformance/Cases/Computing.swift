import CofferStorage
import Foundation

/// The cases about conditions on strings, computed values, and aggregates of related objects.
extension ConformanceCase {
    /// Conditions on strings, computed values, and values of related objects.
    static let computing: [ConformanceCase] = [
        withTown("computing/texts", "Strings contain, begin with, end with, match and are like others.") { town in
            let name = try town.person["name"]
            let expected: [(TextRelation, String, [String])] = [
                (.contains, "n", ["Ann", "Dan", "ann"]), (.contains, "", []), (.contains, "An", ["Ann"]),
                (.beginsWith, "A", ["Ann"]), (.beginsWith, "", []), (.endsWith, "nn", ["Ann", "ann"]),
                (.endsWith, "", []), (.like, "?nn", ["Ann", "ann"]), (.like, "*e*", ["Cleo", "Eve"]),
                (.like, "\\?nn", []), (.like, "ann", ["ann"]), (.matches, "[AD].n+", ["Ann", "Dan"]),
                (.matches, "A", []), (.less, "B", ["Ann"]), (.equal, "Ann", ["Ann"]),
            ]
            try town.expectPeople(expected.map { ("name \($0) '\($1)'", .text(name, $0, .value(.text($1)), []), $2) })
            let mirrored = RowPredicate.text(.value(.text("Dana")), .beginsWith, name, [])
            try town.expectPeople(where: mirrored, ["Dan"], "'Dana' begins with name")
        },
        withTown(
            "computing/text-options", "String conditions ignore case and diacritics if their options say so."
        ) { town in
            let nick = try town.person["nick"]
            let expected: [(TextRelation, String, TextOptions, [String])] = [
                (.equal, "ANNIE", [.caseInsensitive], ["Ann", "ann"]),
                (.equal, "ànnie", [.diacriticInsensitive], ["Ann"]),
                (.contains, "NÏ", [.caseInsensitive, .diacriticInsensitive], ["Ann", "ann"]),
                (.like, "?V?", [.caseInsensitive], ["Eve"]), (.matches, "eve", [.caseInsensitive], ["Eve"]),
                (.beginsWith, "an", [.caseInsensitive, .normalized], ["Ann"]),
                (.greater, "annie", [.caseInsensitive], ["Dan", "Eve"]),
            ]
            try town.expectPeople(
                expected.map { ("nick \($0)\($2) '\($1)'", .text(nick, $0, .value(.text($1)), $2), $3) })
        },
        withTown("computing/text-null", "A string condition is false if one of the strings is null.") { town in
            let nick = try town.person["nick"]
            for relation in TextRelation.allCases where relation != .matches {
                let condition = RowPredicate.text(nick, relation, nick, [.caseInsensitive])
                try town.expectPeople(where: .and([condition, nick == .null]), [], "null \(relation) null")
            }
            let unlikeNull = RowPredicate.not(.text(nick, .like, .value(.null), []))
            try town.expectPeople(where: unlikeNull, Session.everyone, "not (nick like null)")
        },
        withTown("computing/functions", "Functions compute values; a function without a result is null.") { town in
            let order = try town.person["order"]
            let (two, height) = (RowExpression.value(.integer(2)), try town.person["height"])
            let expected: [(RowExpression, Value, [String])] = [
                (.function(.add, [order, two]), .integer(5), ["Ann", "ann"]),
                (.function(.divide, [order, two]), .integer(1), ["Ann", "Dan", "ann"]),
                (.function(.divide, [order, height]), .double(6), ["ann"]),
                (.function(.divide, [order, .value(.integer(0))]), .null, Session.everyone),
                (.function(.modulus, [order, two]), .integer(0), ["Dan"]),
                (.function(.power, [order, two]), .integer(9), ["Ann", "ann"]),
                (.function(.negate, [order]), .integer(-1), ["Cleo"]),
                (.function(.floor, [height]), .double(1), ["Ann", "Cleo", "Dan"]),
                (.function(.squareRoot, [order]), .double(1), ["Cleo"]),
                (.function(.bitwiseAnd, [order, two]), .integer(2), ["Ann", "Dan", "ann"]),
                (.function(.uppercase, [try town.person["name"]]), .text("ANN"), ["Ann", "ann"]),
                (.function(.length, [try town.person["nick"]]), .integer(3), ["Eve"]),
            ]
            try town.expectPeople(expected.map { ("\($0) == \($1)", $0 == $1, $2) })
        },
        withTown("computing/exactness", "Integers beyond 64 bits become doubles; decimals stay exact.") { town in
            let most = RowExpression.value(.integer(.max))
            let beyond = RowPredicate.compare(.function(.add, [try town.person["order"], most]), .greater, most)
            try town.expectPeople(where: beyond, ["Ann", "Cleo", "Dan", "ann"], "order + max > max")
            let price = RowExpression.function(.multiply, [try town.book["price"], .value(.integer(3))])
            try town.expectNames(of: town.book, where: price == .decimal(cents: 2997), ["Dune"], "price * 3")
            try town.expectNames(of: town.book, where: price < .integer(29), ["Emma"], "price * 3 < 29")
        },
        withTown("computing/conditional", "A condition selects one of two values.") { town in
            let (order, height) = (try town.person["order"], try town.person["height"])
            let choice = RowExpression.conditional(order > .integer(2), height, .value(.double(0)))
            try town.expectPeople([
                ("order > 2 ? height : 0", choice > .double(1), ["Ann"]),
                ("the other value, also where order is null", choice == .integer(0), ["Bob", "Cleo", "Dan", "Eve"]),
            ])
        },
        withTown(
            "computing/aggregates", "Aggregates of related objects ignore null, and can have a condition."
        ) { town in
            let (order, cats) = (try town.pet["order"], try town.pet["species"] == .text("cat"))
            let others = ["Cleo", "Dan", "Eve", "ann"]
            let expected: [(RowExpression, Value, [String])] = try [
                (town.aggregate(.sum, order, of: "pets"), .integer(5), ["Ann"]),
                (town.aggregate(.sum, order, of: "pets"), .integer(0), others),
                (town.aggregate(.average, order, of: "pets"), .double(3), ["Bob"]),
                (town.aggregate(.minimum, order, of: "pets", where: cats), .integer(3), ["Bob"]),
                (town.aggregate(.count, order, of: "pets", where: cats), .integer(0), ["Ann"] + others),
                (town.aggregate(.count, .key, of: "pets", where: cats), .integer(1), ["Ann", "Bob"]),
                (town.aggregate(.maximum, order, of: "pets"), .null, others),
            ]
            try town.expectPeople(expected.map { ("\($0) == \($1)", $0 == $1, $2) })
            let mentors = try town.aggregate(.count, .key, from: ["mentor"], of: "pets")
            try town.expectPeople([
                ("mentor.pets", mentors == .integer(2), ["Bob", "Cleo"]),
                ("without a mentor", mentors == .null, ["Ann", "Eve", "ann"]),
            ])
        },
        withTown("computing/outer", "A condition on related objects can use values of the enclosing object.") { town in
            let order = try town.person["order"]
            let older = try town.some("friends", .compare(order, .greater, .outer(order)))
            try town.expectPeople(where: older, ["Dan"], "a friend with a higher order")
            // The friends of a friend include the person itself: the condition refers to the object two levels out.
            let isOneself = RowPredicate.compare(.key, .equal, .outer(.outer(.key)))
            let mutual = try town.some("friends", town.some("friends", isOneself))
            try town.expectPeople(where: mutual, ["Ann", "Bob", "Dan"], "people who are friends of a friend")
            let sum = try town.aggregate(.sum, .function(.add, [order, .outer(order)]), of: "friends")
            try town.expectPeople(where: sum == .integer(5), ["Ann", "Dan"], "the sum of order + outer order")
        },
        withTown(
            "computing/aggregates-of-outer",
            "A value of the enclosing object counts once for each related object in an aggregate."
        ) { town in
            let expected: [(ValueRequest.Aggregate, Value, [String])] = [
                (.sum, .integer(6), ["Ann"]), (.count, .integer(2), ["Ann"]), (.maximum, .integer(3), ["Ann"]),
                (.minimum, .null, ["Bob", "Cleo", "Dan", "Eve", "ann"]), (.average, .double(3), ["Ann"]),
            ]
            for (aggregate, value, names) in expected {
                let ofPets = try town.aggregate(aggregate, .outer(town.person["order"]), of: "pets")
                try town.expectPeople(where: ofPets == value, names, "\(aggregate) of order")
            }
        },
        withTown(
            "computing/beyond-64-bits",
            "An integer beyond 64 bits is a double in results and orders, or a decimal beside decimals."
        ) { town in
            let (person, order) = try (town.person, town.person["order"])
            let beyond = RowExpression.function(
                .subtract, [.value(.integer(-4096)), .function(.add, [order, .value(.integer(.max))])])
            let decimal = RowExpression.function(.add, [beyond, .value(.decimal(0))])
            let power = RowExpression.function(.power, [order, .value(.integer(-1))])
            let request = person.values(
                [beyond, decimal, power].map { .expression($0) }, where: order > .integer(1),
                order: [RowSort(decimal, ascending: true), RowSort(.key, ascending: true)])
            let found = try town.values(request)
            let (double, digits) = (Value.double(-0x1p63 - 4096), try Value.decimal("-9223372036854780000"))
            try expectEqual(
                found.map { Array($0.prefix(2)) }, [[double, digits], [double, digits], [double, digits]],
                "-4096 - (order + max), as a double and as a decimal")
            try expectEqual(found[1].last, .double(0.5), "2 to the power of -1")
            // For an order of 1, the product is an integer; for 2 and 3, the product is a double.
            let back = RowExpression.function(
                .modulus, [.function(.multiply, [order, .value(.integer(1 << 62))]), .value(.integer(2))])
            try town.expectValues(
                person.values([.expression(back), .aggregate(.count, .key)], groups: [back]),
                [[.null, .integer(2)], [.integer(0), .integer(4)]], "the groups of 0 and 0.0")
            try town.expectValues(
                person.values([.aggregate(.minimum, back), .aggregate(.maximum, back)]),
                [[.integer(0), .integer(0)]], "the minimum and the maximum")
            let sum = try town.aggregate(.sum, .function(.add, [order, .value(.integer(.max))]), of: "pupils")
            try town.expectPeople(where: sum == .double(0x1p63), ["Ann", "Bob"], "the sum of a double beyond 64 bits")
        },
        withTown("computing/division", "Integers are divided towards zero; a division by zero is null.") { town in
            let three = try town.person["order"]
            let minus = RowExpression.function(.negate, [three])
            func integer(_ number: Int64) -> RowExpression { .value(.integer(number)) }
            let least = RowExpression.function(.subtract, [integer(.min + 3), three])
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
                (.function(.divide, [least, integer(-1)]), .double(0x1p63)),
                (.function(.modulus, [least, integer(-1)]), .integer(0)),
                (.function(.divide, [three, integer(0)]), .null),
                (.function(.modulus, [three, integer(0)]), .null),
                (.function(.divide, [three, .value(.double(0))]), .null),
                (.function(.divide, [three, .value(.decimal(0))]), .null),
                (.function(.modulus, [three, .value(.decimal(0))]), .null),
            ]
            let request = try town.person.values(
                expected.map { .expression($0.0) }, where: town.person["name"] == .text("Ann"))
            try town.expectValues(request, [expected.map(\.1)], "3 and -3 divided")
        },
        ConformanceCase("computing/random", "Random requests with computed values are answered correctly.") {
            try DifferentialTest.run($0, .computing)
        },
    ]
}
