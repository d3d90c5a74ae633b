import CofferStorage
import Foundation

/// The cases about computed values: columns, aggregates, groups and conditions on groups.
extension ConformanceCase {
    /// Values computed by the store: columns, aggregates, groups.
    static let querying: [ConformanceCase] = [
        withTown(
            "querying/columns",
            "A request without aggregates returns one result for each row, in the order of the rows."
        ) { town in
            let request = try town.person.values(
                [.expression(town.person["name"]), .expression(town.person["order"]), .expression(.key)],
                where: town.person["height"] != .null, order: [town.person.sorted("name", ascending: false)],
                offset: 1, limit: 2)
            let (dan, cleo) = try (Value.integer(town.key("Dan")), Value.integer(town.key("Cleo")))
            try town.expectValues(
                request, [[.text("Dan"), .integer(2), dan], [.text("Cleo"), .integer(1), cleo]], "name, order and key")
        },
        withTown(
            "querying/through-relationships", "A term can follow to-one relationships, and count to-many relationships."
        ) { town in
            let request = try town.pet.values([
                .expression(town.pet["owner.name"]), .expression(town.pet["owner.mentor.name"]),
                .expression(.through(relationship: town.relationship("owner"), .key)),
                .expression(.count(relationship: town.relationship("tags"))),
            ])
            let (ann, bob) = try (Value.integer(town.key("Ann")), Value.integer(town.key("Bob")))
            try town.expectValues(
                request,
                [
                    [.text("Ann"), .null, ann, .integer(1)], [.text("Ann"), .null, ann, .integer(0)],
                    [.text("Bob"), .text("Ann"), bob, .integer(0)], [.null, .null, .null, .integer(0)],
                ], "owner's name, owner's mentor's name, owner's key, number of tags")
        },
        withTown("querying/aggregates", "Count, sum, average, minimum and maximum ignore null.") { town in
            try expectAggregates(
                town, "order", [.integer(4), .integer(9), .double(2.25), .integer(1), .integer(3)], "of people's order")
            try expectAggregates(
                town, "height", [.integer(4), .double(5.6), .double(1.4), .double(0.5), .double(1.75)],
                "of people's height")
        },
        withTown("querying/aggregates-of-nothing", "Without values, count and sum are 0, others are null.") { town in
            let nobody = try town.person["name"] == .text("Nobody")
            for (predicate, what) in try [(nobody, "no rows"), (town.person["order"] == .null, "only nulls")] {
                try expectAggregates(
                    town, "order", where: predicate, [.integer(0), .integer(0), .null, .null, .null], "of \(what)")
            }
            let price = try town.book["price"]
            let terms = [ValueRequest.Term.aggregate(.sum, price), .aggregate(.average, price)]
            try town.expectValues(
                town.book.values(terms, where: price == .null), [[.decimal(cents: 0), .null]],
                "of decimals that are null")
        },
        withTown(
            "querying/aggregates-of-decimals", "Sums of decimals are exact, and their average is a decimal."
        ) { town in
            let price = try town.book["price"]
            let terms = [ValueRequest.Aggregate.sum, .average, .minimum].map { ValueRequest.Term.aggregate($0, price) }
            try town.expectValues(
                town.book.values(terms), [[.decimal(cents: 1_500), .decimal(cents: 750), .decimal(cents: 501)]],
                "sum, average, minimum")
        },
        withTown("querying/aggregates-of-text", "Strings and dates have a count, a minimum and a maximum.") { town in
            let (nick, born) = try (town.person["nick"], town.person["born"])
            let request = try town.person.values([
                .aggregate(.minimum, nick), .aggregate(.maximum, nick), .aggregate(.count, nick),
                .aggregate(.maximum, born),
            ])
            try town.expectValues(
                request, [[.text("Annie"), .text("danny"), .integer(4), .null]], "minimum, maximum, count, none")
        },
        withStore("querying/integer-sums-are-exact", "A sum of integers is exact to the last digit.") { session in
            let numbers = [9_007_199_254_740_993, 1, Int64.max - 9_007_199_254_740_994]
            try session.insert("Book", all: numbers.map { ["pages": .integer($0)] })
            let request = try session.book.values([.aggregate(.sum, session.book["pages"])])
            try session.expectValues(request, [[.integer(.max)]], "the sum")
        },
        withStore(
            "querying/double-sums-are-exact",
            "A sum of doubles is rounded once, so the order of the additions does not matter."
        ) { session in
            let person = try session.person
            let people: [(Int64, Double)] = [
                (1, 1e16), (2, 0.1), (1, 1), (2, 1e300), (1, -1e16), (2, 0.2), (2, -1e300), (2, 0.3),
            ]
            try session.insert("Person", all: people.map { ["order": .integer($0), "height": .double($1)] })
            let (height, order) = (try person["height"], try person["order"])
            var request = person.values([.aggregate(.sum, height), .aggregate(.average, height)])
            try session.expectValues(request, [[.double(1.6), .double(0.2)]], "the sum, and the mean")
            request.groups = [order]
            request.rows.order = [RowSort(order, ascending: true)]
            try session.expectValues(
                request, [[.double(1), .double(1 / 3)], [.double(0.6), .double(0.6 / 5)]], "the same for each order")
        },
        withStore(
            "querying/integer-overflow", "A sum of integers beyond 64 bits is an error."
        ) { session in
            var request = try requestOverflow(session)
            try expectThrows(nil, "the sum of Int64.max and 1") { try session.values(request) }
            try session.expectCount(of: "Book", 2, "the number of books, counted afterwards")
            request.rows.limit = 0
            try session.expectValues(request, [], "the results of a limit of 0")
        },
        withStore(
            "querying/having-overflow",
            "In 'having', a sum of integers beyond 64 bits is compared as the nearest double."
        ) { session in
            let sum = try requestOverflow(session).terms[0]
            for (relation, value, holds) in [
                (RowPredicate.Comparison.greater, Value.integer(.max), true), (.equal, .double(0x1p63), true),
                (.less, .integer(0), false), (.equal, .null, false), (.notEqual, .integer(5), true),
            ] {
                let request = try session.book.values(
                    [.aggregate(.count, .key)], having: .compare(sum, relation, value))
                try session.expectValues(request, holds ? [[.integer(2)]] : [], "max + 1 \(relation) \(value)")
            }
        },
        withStore(
            "querying/decimal-overflow", "A sum of decimals with too many digits is an error, and null in 'having'."
        ) { session in
            let book = try session.book
            for price in ["99999999999999999999999999999999999999", "0.1"] {
                try session.insert("Book", ["price": .decimal(price)])
            }
            for aggregate in [ValueRequest.Aggregate.sum, .average] {
                let term = ValueRequest.Term.aggregate(aggregate, try book["price"])
                for offset in 0...1 {
                    var request = book.values([term])
                    request.rows.offset = offset
                    try expectThrows(.invalidValue, "the \(aggregate) of 38 nines and a tenth, at offset \(offset)") {
                        try session.values(request)
                    }
                }
                for (relation, found) in [(RowPredicate.Comparison.equal, 1), (.greater, 0), (.notEqual, 0)] {
                    let request = book.values([.aggregate(.count, .key)], having: .compare(term, relation, .null))
                    try expectEqual(try session.values(request).count, found, "\(aggregate) \(relation) null")
                }
            }
        },
        withTown("querying/groups", "Rows with equal values form a group; null equals null.") { town in
            try town.expectValues(
                requestGroups(town.person, "order"),
                [
                    [.null, .integer(2)], [.integer(1), .integer(1)], [.integer(2), .integer(1)],
                    [.integer(3), .integer(2)],
                ], "order, how many")
        },
        withTown("querying/groups-of-several", "Groups can have several values, also of related objects.") { town in
            let (owner, species) = try (town.pet["owner.name"], town.pet["species"])
            let request = try town.pet.values(
                [.expression(owner), .aggregate(.count, .key), .expression(species)],
                order: [RowSort(species, ascending: true), RowSort(owner, ascending: false)], groups: [owner, species])
            try town.expectValues(
                request,
                [
                    [.null, .integer(1), .null], [.text("Bob"), .integer(1), .text("cat")],
                    [.text("Ann"), .integer(1), .text("cat")], [.text("Ann"), .integer(1), .text("dog")],
                ], "owner, how many, species")
        },
        withStore("querying/groups-of-text", "Strings are grouped by their bytes: case and composition matter.") {
            session in
            try session.insert("Tag", all: ["a", "A", "é", "e\u{301}", "a"].map { ["label": .text($0)] })
            try session.expectValues(
                requestGroups(session.tag, "label"),
                [
                    [.text("A"), .integer(1)], [.text("a"), .integer(2)], [.text("e\u{301}"), .integer(1)],
                    [.text("é"), .integer(1)],
                ], "label, how many")
        },
        withStore(
            "querying/groups-of-nothing",
            "Without rows, a request with groups has no result, and a request without groups has one."
        ) { session in
            let (tag, label) = try (session.tag, session.tag["label"])
            let count = [ValueRequest.Term.aggregate(.count, label)]
            try session.expectValues(tag.values(count, groups: [label]), [], "grouped")
            try session.expectValues(tag.values(count), [[.integer(0)]], "not grouped")
        },
        withTown(
            "querying/limit-is-for-results", "Offset and limit apply to the groups, not to their rows."
        ) { town in
            var request = try requestGroups(town.person, "order", ascending: false)
            request.rows.offset = 1
            request.rows.limit = 2
            try town.expectValues(
                request, [[.integer(2), .integer(1)], [.integer(1), .integer(1)]], "the second and third group")
        },
        withTown(
            "querying/having", "'Having' selects groups, with the two-valued logic of predicates."
        ) { town in
            let (order, height) = try (town.person["order"], town.person["height"])
            let expected: [(ValueRequest.Having, [Value])] = [
                (.compare(.aggregate(.count, .key), .greater, .integer(1)), [.null, .integer(3)]),
                (.compare(.expression(order), .less, .integer(3)), [.integer(1), .integer(2)]),
                (.not(.compare(.expression(order), .less, .integer(3))), [.null, .integer(3)]),
                (.compare(.aggregate(.average, height), .equal, .null), [.null]),
                (
                    .or([
                        .compare(.aggregate(.maximum, height), .less, .double(1.7)),
                        .compare(.aggregate(.sum, height), .equal, .integer(0)),
                    ]), [.null, .integer(1)]
                ),
                (.and([]), [.null, .integer(1), .integer(2), .integer(3)]), (.or([]), []),
            ]
            for (having, groups) in expected {
                let request = try town.person.values(
                    [.expression(order)], order: [RowSort(order, ascending: true)], groups: [order], having: having)
                try town.expectValues(request, groups.map { [$0] }, "\(having)")
            }
        },
        withStore(
            "querying/having-compares-numbers", "'Having' compares aggregates of decimals and doubles as numbers."
        ) { session in
            for (title, price) in [("a", "-0.5"), ("b", "-1.5"), ("c", "10"), ("d", "9.5")] {
                try session.insert("Book", ["title": .text(title), "price": .decimal(price)])
            }
            let (title, price) = try (session.book["title"], session.book["price"])
            for aggregate in [ValueRequest.Aggregate.sum, .average, .minimum, .maximum] {
                for (relation, limit, expected) in [
                    (RowPredicate.Comparison.less, "-1", "b"), (.greater, "9.75", "c"), (.equal, "10.0", "c"),
                ] {
                    let having = try ValueRequest.Having.compare(
                        .aggregate(aggregate, price), relation, .decimal(limit))
                    let request = try session.book.values([.expression(title)], groups: [title], having: having)
                    try session.expectValues(request, [[.text(expected)]], "\(aggregate) \(relation) \(limit)")
                }
            }
        },
        withTown(
            "querying/distinct",
            "Distinct results are returned once, including null; the limit applies to the distinct results."
        ) { town in
            let order = try town.person["order"]
            var request = try town.person.values([.expression(order)], order: [RowSort(order, ascending: true)])
            request.isDistinct = true
            try town.expectValues(request, [[.null], [.integer(1)], [.integer(2)], [.integer(3)]], "the orders")
            request.rows.limit = 2
            request.rows.offset = 1
            try town.expectValues(request, [[.integer(1)], [.integer(2)]], "the second and third")
        },
        withTown("querying/subentities", "A value request includes the same rows as a row request.") { town in
            var request = try town.person.values([.aggregate(.count, .key)])
            try town.expectValues(request, [[.integer(6)]], "with students")
            request.rows.includesSubentities = false
            try town.expectValues(request, [[.integer(4)]], "without")
            request.rows.predicate = try town.person["nick"] == .null
            try town.expectValues(request, [[.integer(2)]], "without a nick")
        },
        ConformanceCase(
            "querying/random", "Random value requests on random models have the results of the reference evaluator."
        ) {
            try DifferentialTest.run($0, .values)
        },
    ]

    /// Inserts two books, and requests the sum of their pages, which is beyond 64 bits.
    private static func requestOverflow(_ session: Session) throws -> ValueRequest {
        try session.insert("Book", all: [.max, 1].map { ["pages": .integer($0)] })
        return try session.book.values([.aggregate(.sum, session.book["pages"])])
    }

    /// Requests the values of a column in their order, each with the number of its rows.
    private static func requestGroups(
        _ entity: TestEntity, _ column: String, ascending: Bool = true
    ) throws -> ValueRequest {
        let value = try entity[column]
        return entity.values(
            [.expression(value), .aggregate(.count, .key)], order: [RowSort(value, ascending: ascending)],
            groups: [value])
    }

    /// Checks the count, sum, average, minimum and maximum of a column of people.
    private static func expectAggregates(
        _ town: Session, _ column: String, where predicate: RowPredicate = .constant(true), _ expected: [Value],
        _ what: String
    ) throws {
        let terms = try [ValueRequest.Aggregate.count, .sum, .average, .minimum, .maximum].map {
            ValueRequest.Term.aggregate($0, try town.person[column])
        }
        let found = try town.values(town.person.values(terms, where: predicate))
        // Doubles are compared to nine decimal places.
        let rounded = found.map { values in
            values.map { value -> Value in
                if case .double(let number) = value { .double((number * 1e9).rounded() / 1e9) } else { value }
            }
        }
        try expectEqual(rounded, [expected], what)
    }
}
