import CofferEvaluation
import CofferStorage
import Foundation

/// The cases about values: each kind of value is read exactly as it was written.
extension ConformanceCase {
    /// What is written is read back, bit for bit.
    static let values: [ConformanceCase] = [
        kept("values/integer", "integer"), kept("values/double", "double"), kept("values/decimal", "decimal"),
        kept("values/boolean", "boolean"), kept("values/date", "date"), kept("values/text", "text"),
        kept("values/blob", "blob"),
        ConformanceCase("values/defaults-are-not-applied", "A null in an insert is kept as null, whatever the default.")
        {
            let model = StoreModel(
                version: "V1",
                entities: [
                    EntityDescription(
                        name: "Thing",
                        attributes: [
                            .init(
                                name: "number", type: .integer64AttributeType, isOptional: true,
                                defaultValue: .integer(7))
                        ])
                ])
            let session = try $0.open(model)
            let key = try session.insert("Thing", ["number": .null])
            let found = try session.entity("Thing").value("number", of: session.row("Thing", key))
            try expectEqual(found, .null, "the value")
        },
        ConformanceCase("values/zero-has-no-sign", "A zero is read back without its sign.") {
            let session = try $0.open()
            let key = try session.insert("Everything", ["double": .double(-0.0)])
            let found = try session.entity("Everything").value("double", of: session.row("Everything", key))
            try expectEqual(found.shown, "0.0 as double", "minus zero")
            let date = try session.insert("Everything", ["date": .date(-0.0)])
            let read = try session.entity("Everything").value("date", of: session.row("Everything", date))
            try expectEqual(read.shown, "date 0.0 s", "the date that is minus zero")
        },
        ConformanceCase("values/not-a-number", "A NaN is refused as an 'invalidValue', and nothing is stored.") {
            try refusesNaN(["double": .double(.nan), "decimal": .decimal(.nan)], $0)
        },
        ConformanceCase(
            "values/not-a-date", "A date that is NaN is refused as an 'invalidValue', and nothing is stored."
        ) {
            try refusesNaN(["date": .date(.nan)], $0)
        },
        ConformanceCase("values/exact-dates", "Dates one bit apart are different, ordered, grouped and aggregated so.")
        {
            try tellsDatesApart($0)
        },
        ConformanceCase("values/reference", "A reference is read back as the key of the object it leads to.") {
            let town = try $0.town()
            let found = try town.person.value("mentor", of: town.session.row("Person", town.key("Bob")))
            try expectEqual(found, .integer(try town.key("Ann")), "Bob's mentor")
        },
        ConformanceCase("values/wide-entity", "An entity may have more columns than a word has bits.") {
            let session = try $0.open()
            let wide = try session.entity("Wide")
            var values: [String: Value] = [:]
            for index in stride(from: 0, to: Domain.wideCount, by: 3) {
                values["column\(index)"] = .integer(Int64(index))
            }
            let key = try session.insert("Wide", values)
            let expected = try wide.row(key, values).values(wide.entity.kinds)
            try expectEqual(try session.row("Wide", key).values(wide.entity.kinds), expected, "the columns")
            let last = "column\(Domain.wideCount - 1)"
            try session.commit { changes in
                try changes.updates.append(
                    wide.update(session.row("Wide", key), [last: .integer(-1), "column0": .null]))
            }
            let row = try session.row("Wide", key)
            try expectEqual(try wide.value(last, of: row), .integer(-1), "the last column, updated")
            try expectEqual(try wide.value("column0", of: row), .null, "the first column, updated to null")
            try expectEqual(try wide.value("column3", of: row), .integer(3), "a column the update left alone")
        },
        ConformanceCase(
            "values/awkward-names", "Any name will do for an entity and a property: keywords, quotes, any case."
        ) {
            try keepsAwkwardNames($0)
        },
        ConformanceCase("values/computed", "A value request gives each value as the kind its column has.") {
            let session = try $0.open()
            let everything = try session.entity("Everything")
            var random = SeededGenerator(seed: Settings.seed)
            var values: [String: Value] = [:]
            for (name, type) in Domain.types { values[name] = RandomValue.common(type.columnKind, &random) }
            try session.insert("Everything", values)
            let terms = try Domain.types.flatMap { name, _ in
                try [ValueRequest.Term.expression(everything[name]), .expression(everything["optional \(name)"])]
            }
            let found = try session.values(ValueRequest(rows: everything.request(), terms: terms))
            let expected = Domain.types.flatMap { name, _ in [values[name] ?? .null, .null] }
            try expectEqual(found, [expected], "one of each kind, each followed by null")
        },
    ]

    private static func kept(_ id: String, _ name: String) -> ConformanceCase {
        ConformanceCase(id, "Every value of the kind '\(name)', and null, is read back as it was written.") { context in
            try keepsValues(in: name, context)
        }
    }

    private static func keepsValues(in name: String, _ context: TestContext) throws {
        let session = try context.open()
        let everything = try session.entity("Everything")
        var random = SeededGenerator(seed: Settings.seed)
        let kind = try everything.entity.kinds[everything.slot(name)]
        var values = try RandomValue.extremes(kind)
        values += (0..<100).map { _ in RandomValue.any(kind, &random) }
        let keys = try session.reserve("Everything", values.count + 1)
        try session.commit { changes in
            for (key, value) in zip(keys, values) {
                try changes.inserts.append(.init(row: everything.row(key, [name: value, "optional \(name)": value])))
            }
            try changes.inserts.append(.init(row: everything.row(keys.upperBound - 1)))
        }
        let rows = try session.rows(everything.request())
        try expectEqual(rows.count, values.count + 1, "the number of rows")
        for (row, value) in zip(rows, values) {
            try expectSame(everything.value(name, of: row), value, "the required column")
            try expectSame(everything.value("optional \(name)", of: row), value, "the optional column")
        }
        let last = try everything.value("optional \(name)", of: session.row("Everything", keys.upperBound - 1))
        try expectEqual(last, .null, "a column without a value")
        // The same through an update, and through a comparison, where values are bound instead of inserted.
        try session.commit { changes in
            for (row, value) in zip(rows.dropFirst(), values) {
                try changes.updates.append(everything.update(row, ["optional \(name)": value]))
            }
            try changes.updates.append(everything.update(rows[0], ["optional \(name)": .null]))
        }
        let updated = try session.rows(everything.request())
        try expectEqual(try everything.value("optional \(name)", of: updated[0]), .null, "a value updated to null")
        for (row, value) in zip(updated.dropFirst(), values) {
            try expectSame(everything.value("optional \(name)", of: row), value, "an updated column")
        }
        for value in values {
            let found = try session.keys(everything.request(where: everything[name] == value))
            let equal = zip(keys, values).filter { ValueOrdering.isEqual($1, value) }.map(\.0)
            try expectEqual(
                found.filter { $0 != keys.upperBound - 1 }, equal, "the keys of the rows equal to \(value.shown)")
        }
    }

    /// Equal, and for doubles of the same bits but for the sign of zero.
    private static func expectSame(_ found: Value, _ expected: Value, _ what: String) throws {
        if found != expected { try expectEqual(found.shown, expected.shown, what + " (shown in short)") }
        if found != expected { throw Mismatch("  \(what): the values differ where they are not shown") }
    }

    private static func refusesNaN(_ values: [String: Value], _ context: TestContext) throws {
        let session = try context.open()
        let everything = try session.entity("Everything")
        let one: [String: Value] = ["double": .double(1), "decimal": .decimal(1), "date": .date(1)]
        let key = try session.insert("Everything", one)
        let row = try session.row("Everything", key)
        for (name, value) in values.flatMap({ [($0, $1), ("optional \($0)", $1)] }) {
            let keys = try session.reserve("Everything", 2)
            try expectThrows(.invalidValue, "inserting a NaN as '\(name)'") {
                try session.commit { changes in
                    try changes.inserts.append(.init(row: everything.row(keys.lowerBound)))
                    try changes.inserts.append(.init(row: everything.row(keys.lowerBound + 1, [name: value])))
                }
            }
            try expectThrows(.invalidValue, "updating '\(name)' to a NaN") {
                try session.commit { try $0.updates.append(everything.update(row, [name: value])) }
            }
        }
        try expectEqual(try session.keys(everything.request()), [key], "the keys of the rows")
        let kept = try session.row("Everything", key)
        try expectEqual(kept.values(everything.entity.kinds), row.values(everything.entity.kinds), "the row")
    }

    private static func tellsDatesApart(_ context: TestContext) throws {
        let session = try context.open()
        let everything = try session.entity("Everything")
        let date = try everything["date"]
        let middle = 785_000_000.123_456_7
        let seconds = [middle.nextUp, middle.nextDown, middle, .infinity, middle, -.infinity, 0]
        let keys = try seconds.map { try session.insert("Everything", ["date": .date($0)]) }
        func places(_ predicate: RowPredicate) throws -> [Int] {
            try session.keys(everything.request(where: predicate)).compactMap(keys.firstIndex)
        }
        try expectEqual(try places(date == .date(middle)), [2, 4], "the places of a date")
        try expectEqual(try places(date < .date(middle)), [1, 5, 6], "the places of what is before")
        try expectEqual(try places(date > .date(middle)), [0, 3], "the places of what is after")
        let several = [Value.date(middle.nextUp), .date(-.infinity), .date(1)]
        try expectEqual(try places(.isIn(date, several)), [0, 5], "the places of what is in a list")
        let long = (0..<1_000).map { Value.date(middle + Double($0)) } + [.date(middle.nextDown)]
        try expectEqual(try places(.isIn(date, long)), [1, 2, 4], "the places of what is in a long list")
        let ordered = try session.keys(
            everything.request(order: [RowSort(date, ascending: false)])
        ).compactMap(keys.firstIndex)
        try expectEqual(ordered, [3, 0, 2, 4, 1, 6, 5], "the places in order")
        let terms = [ValueRequest.Term.expression(date), .aggregate(.count, .key)]
        let groups = try session.values(
            ValueRequest(
                rows: everything.request(where: date > .date(1), order: [RowSort(date, ascending: true)]),
                terms: terms, groups: [date]))
        let expected = [(middle.nextDown, 1), (middle, 2), (middle.nextUp, 1), (.infinity, 1)]
        try expectEqual(groups, expected.map { [.date($0), .integer(Int64($1))] }, "the groups")
        let ends = try session.values(
            ValueRequest(
                rows: everything.request(where: date < .date(.infinity)),
                terms: [.aggregate(.minimum, date), .aggregate(.maximum, date), .aggregate(.count, date)]))
        try expectEqual(ends, [[.date(-.infinity), .date(middle.nextUp), .integer(6)]], "the aggregates")
    }

    private static func keepsAwkwardNames(_ context: TestContext) throws {
        let session = try context.open()
        let order = try session.entity("order")
        let other = try session.entity("Order")
        var values: [String: Value] = [:]
        for (index, name) in EdgeCaseNames.names.enumerated() { values[name] = .integer(Int64(index)) }
        let key = try session.insert("order", values)
        let otherKey = try session.insert(
            "Order", ["select": .text("it's"), "by": .integer(key), "by position": .integer(0)])
        try session.insert("a\"b'c; --", ["a": .text("b")])
        try session.commit { try $0.links.append(order.link("li\"nk", key, otherKey)) }
        let row = try session.row("order", key)
        for (index, name) in EdgeCaseNames.names.enumerated() {
            try expectEqual(try order.value(name, of: row), .integer(Int64(index)), "the value of the property \(name)")
            let found = try session.keys(
                order.request(where: order[name] == .integer(Int64(index)), order: [order.sorted(name)]))
            try expectEqual(found, [key], "a fetch by the property \(name)")
        }
        try expectEqual(
            try session.related(order.relationship("where"), of: key), [otherKey], "the relationship 'where'")
        try expectEqual(
            try session.related(order.relationship("li\"nk"), of: key), [otherKey], "the relationship 'li\"nk'")
        let back = try session.related(other.relationship("LI\"NK"), of: otherKey)
        try expectEqual(back, [key], "the relationship 'LI\"NK'")
        try expectEqual(try session.count(other.request()), 1, "the number of rows of 'Order', not 'order'")
    }
}
