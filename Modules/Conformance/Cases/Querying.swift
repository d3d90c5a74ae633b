import CofferStorage
import Foundation

/// The cases about computed values: columns, aggregates, groups and conditions on groups.
extension ConformanceCase {
    /// Values computed by the store: columns, aggregates, groups.
    static let querying: [ConformanceCase] = [
        ConformanceCase(
            "querying/columns", "A request without aggregates gives one result for each row, in the rows' order."
        ) {
            let town = try $0.town()
            let request = ValueRequest(
                rows: try town.person.request(
                    where: town.person["height"] != .null, order: [town.person.sorted("name", ascending: false)],
                    offset: 1, limit: 2),
                terms: try [.expression(town.person["name"]), .expression(town.person["order"]), .expression(.key)])
            try expectEqual(
                try town.session.values(request),
                [
                    [.text("Dan"), .integer(2), .integer(try town.key("Dan"))],
                    [.text("Cleo"), .integer(1), .integer(try town.key("Cleo"))],
                ], "name, order and key")
        },
        ConformanceCase(
            "querying/through-relationships", "A term may go through to-one relationships and count to-many ones."
        ) {
            let town = try $0.town()
            let request = ValueRequest(
                rows: town.pet.request(),
                terms: try [
                    .expression(town.pet["owner.name"]), .expression(town.pet["owner.mentor.name"]),
                    .expression(.through(relationship: town.pet.relationship("owner"), .key)),
                    .expression(.count(relationship: town.pet.relationship("tags"))),
                ])
            let ann = try Value.integer(town.key("Ann"))
            let bob = try Value.integer(town.key("Bob"))
            try expectEqual(
                try town.session.values(request),
                [
                    [.text("Ann"), .null, ann, .integer(1)], [.text("Ann"), .null, ann, .integer(0)],
                    [.text("Bob"), .text("Ann"), bob, .integer(0)], [.null, .null, .null, .integer(0)],
                ], "owner's name, owner's mentor's name, owner's key, number of tags")
        },
        ConformanceCase("querying/aggregates", "Count, sum, average, minimum and maximum leave nulls out.") {
            let town = try $0.town()
            try expectEqual(
                try aggregates(town, town.person["order"]),
                [.integer(4), .integer(9), .double(2.25), .integer(1), .integer(3)], "of people's order")
            try expectEqual(
                try aggregates(town, town.person["height"]),
                [.integer(4), .double(5.6), .double(1.4), .double(0.5), .double(1.75)], "of people's height")
        },
        ConformanceCase("querying/aggregates-of-nothing", "For no values a count and a sum are 0, the others null.") {
            let town = try $0.town()
            let nobody = try town.person["name"] == .text("Nobody")
            for (predicate, what) in try [(nobody, "no rows"), (town.person["order"] == .null, "only nulls")] {
                let found = try aggregates(town, town.person["order"], where: predicate)
                try expectEqual(found, [.integer(0), .integer(0), .null, .null, .null], "of \(what)")
            }
            let prices = ValueRequest(
                rows: try town.book.request(where: town.book["price"] == .null),
                terms: [.aggregate(.sum, try town.book["price"]), .aggregate(.average, try town.book["price"])])
            try expectEqual(
                try town.session.values(prices), [[.decimal(cents: 0), .null]], "of decimals that are null")
        },
        ConformanceCase(
            "querying/aggregates-of-decimals", "Decimals are added exactly, and their average is a decimal."
        ) {
            let town = try $0.town()
            let price = try town.book["price"]
            let terms = [ValueRequest.Aggregate.sum, .average, .minimum].map { ValueRequest.Term.aggregate($0, price) }
            let found = try town.session.values(ValueRequest(rows: town.book.request(), terms: terms))
            try expectEqual(
                found, [[.decimal(cents: 1_500), .decimal(cents: 750), .decimal(cents: 501)]], "sum, average, minimum")
        },
        ConformanceCase("querying/aggregates-of-text", "Text and dates have a count, a minimum and a maximum.") {
            let town = try $0.town()
            let found = try town.session.values(
                ValueRequest(
                    rows: town.person.request(),
                    terms: try [
                        .aggregate(.minimum, town.person["nick"]), .aggregate(.maximum, town.person["nick"]),
                        .aggregate(.count, town.person["nick"]), .aggregate(.maximum, town.person["born"]),
                    ]))
            try expectEqual(
                found, [[.text("Annie"), .text("danny"), .integer(4), .null]], "minimum, maximum, count, none")
        },
        ConformanceCase("querying/integer-sums-are-exact", "A sum of integers is exact to the last digit.") {
            let session = try $0.open()
            let book = try session.entity("Book")
            for pages in [9_007_199_254_740_993, 1, Int64.max - 9_007_199_254_740_994] {
                try session.insert("Book", ["pages": .integer(pages)])
            }
            let request = ValueRequest(rows: book.request(), terms: [.aggregate(.sum, try book["pages"])])
            try expectEqual(try session.values(request), [[.integer(.max)]], "the sum")
        },
        ConformanceCase(
            "querying/double-sums-are-exact",
            "A sum of doubles is rounded once, so the order in which a store adds them does not matter."
        ) {
            let session = try $0.open()
            let person = try session.entity("Person")
            let people: [(Int64, Double)] = [
                (1, 1e16), (2, 0.1), (1, 1), (2, 1e300), (1, -1e16), (2, 0.2), (2, -1e300), (2, 0.3),
            ]
            for (order, height) in people {
                try session.insert("Person", ["order": .integer(order), "height": .double(height)])
            }
            let (height, order) = (try person["height"], try person["order"])
            var request = ValueRequest(
                rows: person.request(), terms: [.aggregate(.sum, height), .aggregate(.average, height)])
            try expectEqual(try session.values(request), [[.double(1.6), .double(0.2)]], "the sum, and the mean")
            request.groups = [order]
            request.rows.order = [RowSort(order, ascending: true)]
            try expectEqual(
                try session.values(request),
                [[.double(1), .double(1 / 3)], [.double(0.6), .double(0.6 / 5)]], "the same by order")
        },
        ConformanceCase(
            "querying/integer-overflow", "A sum of integers beyond 64 bits is an error, not a wrong number."
        ) {
            let session = try $0.open()
            let book = try session.entity("Book")
            for pages in [Int64.max, 1] { try session.insert("Book", ["pages": .integer(pages)]) }
            let request = ValueRequest(rows: book.request(), terms: [.aggregate(.sum, try book["pages"])])
            try expectThrows(oneOf: StorageError.Code.allCases, "the sum of Int64.max and 1") {
                try session.values(request)
            }
            try expectEqual(try session.count(book.request()), 2, "the number of books, counted afterwards")
            var none = request
            none.rows.limit = 0
            try expectEqual(try session.values(none), [], "the results of a limit of 0, for which nothing is computed")
        },
        ConformanceCase(
            "querying/having-overflow", "In 'having', a sum of integers beyond 64 bits compares as the nearest double."
        ) {
            let session = try $0.open()
            let book = try session.entity("Book")
            for pages in [Int64.max, 1] { try session.insert("Book", ["pages": .integer(pages)]) }
            let sum = ValueRequest.Term.aggregate(.sum, try book["pages"])
            for (relation, value, holds) in [
                (RowPredicate.Comparison.greater, Value.integer(.max), true), (.equal, .double(0x1p63), true),
                (.less, .integer(0), false), (.equal, .null, false), (.notEqual, .integer(5), true),
            ] {
                let request = ValueRequest(
                    rows: book.request(), terms: [.aggregate(.count, .key)], having: .compare(sum, relation, value))
                try expectEqual(
                    try session.values(request), holds ? [[.integer(2)]] : [], "max + 1 \(relation) \(value)")
            }
        },
        ConformanceCase(
            "querying/decimal-overflow", "A sum of decimals with too many digits is an error, and null in 'having'."
        ) {
            let session = try $0.open()
            let book = try session.entity("Book")
            for price in ["99999999999999999999999999999999999999", "0.1"] {
                try session.insert("Book", ["price": .decimal(price)])
            }
            for aggregate in [ValueRequest.Aggregate.sum, .average] {
                let term = ValueRequest.Term.aggregate(aggregate, try book["price"])
                try expectThrows(.invalidValue, "the \(aggregate) of 38 nines and a tenth") {
                    try session.values(ValueRequest(rows: book.request(), terms: [term]))
                }
                for (relation, found) in [(RowPredicate.Comparison.equal, 1), (.greater, 0), (.notEqual, 0)] {
                    let request = ValueRequest(
                        rows: book.request(), terms: [.aggregate(.count, .key)],
                        having: .compare(term, relation, .null))
                    try expectEqual(try session.values(request).count, found, "\(aggregate) \(relation) null")
                }
            }
        },
        ConformanceCase("querying/groups", "Rows with equal values form a group, in which null equals null.") {
            let town = try $0.town()
            let order = try town.person["order"]
            let request = ValueRequest(
                rows: town.person.request(order: [RowSort(order, ascending: true)]),
                terms: [.expression(order), .aggregate(.count, .key)], groups: [order])
            try expectEqual(
                try town.session.values(request),
                [
                    [.null, .integer(2)], [.integer(1), .integer(1)], [.integer(2), .integer(1)],
                    [.integer(3), .integer(2)],
                ], "order, how many")
        },
        ConformanceCase("querying/groups-of-several", "Groups may be of several values, also through relationships.") {
            let town = try $0.town()
            let owner = try town.pet["owner.name"]
            let species = try town.pet["species"]
            let request = ValueRequest(
                rows: town.pet.request(order: [RowSort(species, ascending: true), RowSort(owner, ascending: false)]),
                terms: [.expression(owner), .aggregate(.count, .key), .expression(species)], groups: [owner, species])
            try expectEqual(
                try town.session.values(request),
                [
                    [.null, .integer(1), .null], [.text("Bob"), .integer(1), .text("cat")],
                    [.text("Ann"), .integer(1), .text("cat")], [.text("Ann"), .integer(1), .text("dog")],
                ], "owner, how many, species")
        },
        ConformanceCase("querying/groups-of-text", "Text forms groups by its bytes: case and composition matter.") {
            let session = try $0.open()
            let tag = try session.entity("Tag")
            for label in ["a", "A", "é", "e\u{301}", "a"] { try session.insert("Tag", ["label": .text(label)]) }
            let label = try tag["label"]
            let request = ValueRequest(
                rows: tag.request(order: [RowSort(label, ascending: true)]),
                terms: [.expression(label), .aggregate(.count, .key)], groups: [label])
            try expectEqual(
                try session.values(request),
                [
                    [.text("A"), .integer(1)], [.text("a"), .integer(2)], [.text("e\u{301}"), .integer(1)],
                    [.text("é"), .integer(1)],
                ], "label, how many")
        },
        ConformanceCase(
            "querying/groups-of-nothing", "Without rows there are no groups; without groups there is one of all rows."
        ) {
            let session = try $0.open()
            let tag = try session.entity("Tag")
            let label = try tag["label"]
            let terms = [ValueRequest.Term.aggregate(.count, label)]
            try expectEqual(
                try session.values(ValueRequest(rows: tag.request(), terms: terms, groups: [label])), [], "grouped")
            try expectEqual(
                try session.values(ValueRequest(rows: tag.request(), terms: terms)), [[.integer(0)]], "not grouped")
        },
        ConformanceCase(
            "querying/limit-is-for-results", "Offset and limit apply to the groups, not to the rows in them."
        ) {
            let town = try $0.town()
            let order = try town.person["order"]
            let request = ValueRequest(
                rows: town.person.request(order: [RowSort(order, ascending: false)], offset: 1, limit: 2),
                terms: [.expression(order), .aggregate(.count, .key)], groups: [order])
            try expectEqual(
                try town.session.values(request), [[.integer(2), .integer(1)], [.integer(1), .integer(1)]],
                "the second and third group")
        },
        ConformanceCase(
            "querying/having", "'Having' decides which groups are kept, with the two-valued logic of predicates."
        ) {
            let town = try $0.town()
            let order = try town.person["order"]
            let height = try town.person["height"]
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
                let request = ValueRequest(
                    rows: town.person.request(order: [RowSort(order, ascending: true)]), terms: [.expression(order)],
                    groups: [order], having: having)
                try expectEqual(try town.session.values(request), groups.map { [$0] }, "\(having)")
            }
        },
        ConformanceCase(
            "querying/having-compares-numbers", "'Having' compares aggregates of decimals and doubles as numbers."
        ) {
            let session = try $0.open()
            let book = try session.entity("Book")
            for (title, price) in [("a", "-0.5"), ("b", "-1.5"), ("c", "10"), ("d", "9.5")] {
                try session.insert("Book", ["title": .text(title), "price": .decimal(price)])
            }
            let (title, price) = try (book["title"], book["price"])
            for aggregate in [ValueRequest.Aggregate.sum, .average, .minimum, .maximum] {
                for (relation, limit, expected) in [
                    (RowPredicate.Comparison.less, "-1", ["b"]), (.greater, "9.75", ["c"]), (.equal, "10.0", ["c"]),
                ] {
                    let having = try ValueRequest.Having.compare(
                        .aggregate(aggregate, price), relation, .decimal(limit))
                    let request = ValueRequest(
                        rows: book.request(), terms: [.expression(title)], groups: [title], having: having)
                    try expectEqual(
                        try session.values(request), expected.map { [.text($0)] }, "\(aggregate) \(relation) \(limit)")
                }
            }
        },
        ConformanceCase(
            "querying/distinct", "Distinct results are returned once, null among them; the limit counts those left."
        ) {
            let town = try $0.town()
            let order = try town.person["order"]
            var request = ValueRequest(
                rows: town.person.request(order: [RowSort(order, ascending: true)]), terms: [.expression(order)],
                isDistinct: true)
            try expectEqual(
                try town.session.values(request), [[.null], [.integer(1)], [.integer(2)], [.integer(3)]], "the orders")
            request.rows.limit = 2
            request.rows.offset = 1
            try expectEqual(try town.session.values(request), [[.integer(1)], [.integer(2)]], "the second and third")
        },
        ConformanceCase("querying/subentities", "A value request leaves rows out as a row request does.") {
            let town = try $0.town()
            var request = ValueRequest(rows: town.person.request(), terms: [.aggregate(.count, .key)])
            try expectEqual(try town.session.values(request), [[.integer(6)]], "with students")
            request.rows.includesSubentities = false
            try expectEqual(try town.session.values(request), [[.integer(4)]], "without")
            request.rows.predicate = try town.person["nick"] == .null
            try expectEqual(try town.session.values(request), [[.integer(2)]], "without a nick")
        },
        ConformanceCase(
            "querying/random", "Random value requests on random models give what the reference evaluator says."
        ) {
            try DifferentialTest.run($0, .values)
        },
    ]

    private static func aggregates(
        _ town: Town, _ expression: RowExpression, where predicate: RowPredicate = .constant(true)
    ) throws -> [Value] {
        let terms = [ValueRequest.Aggregate.count, .sum, .average, .minimum, .maximum].map {
            ValueRequest.Term.aggregate($0, expression)
        }
        let found = try town.session.values(ValueRequest(rows: town.person.request(where: predicate), terms: terms))
        try expectEqual(found.count, 1, "the number of results")
        return found[0].map { value in
            // Doubles may be added in any order.
            if case .double(let number) = value { .double((number * 1e9).rounded() / 1e9) } else { value }
        }
    }
}
