import CofferEvaluation
import CofferStorage
import Foundation

/// The cases about values: each kind of value is read exactly as it was written.
extension ConformanceCase {
    /// Each value is read back exactly as it was written.
    static let values: [ConformanceCase] = [
        kept("values/integer", "integer"), kept("values/double", "double"), kept("values/decimal", "decimal"),
        kept("values/boolean", "boolean"), kept("values/date", "date"), kept("values/text", "text"),
        kept("values/blob", "blob"),
        ConformanceCase("values/defaults-are-not-applied", "A null in an insert stays null, whatever the default.") {
            let number = AttributeDescription(
                name: "number", type: .integer64AttributeType, isOptional: true, defaultValue: .integer(7))
            let thing = EntityDescription(name: "Thing", attributes: [number])
            let session = try $0.open(StoreModel(version: "V1", entities: [thing]))
            let key = try session.insert("Thing", ["number": .null])
            try session.expectRow("Thing", key, ["number": .null])
        },
        withStore("values/zero-has-no-sign", "A stored zero has no sign.") { session in
            let key = try session.insert("Everything", ["double": .double(-0.0), "date": .date(-0.0)])
            for (column, shown) in [("double", "0.0 as double"), ("date", "date 0.0 s")] {
                try expectEqual(
                    try session.value(column, of: "Everything", key).shown, shown, "a \(column) of minus zero")
            }
        },
        withStore("values/not-a-number", "A NaN is refused as 'invalidValue', and nothing is stored.") { session in
            try refusesNaN(["double": .double(.nan), "decimal": .decimal(.nan)], session)
        },
        withStore(
            "values/not-a-date", "A date that is NaN is refused as 'invalidValue', and nothing is stored."
        ) { session in
            try refusesNaN(["date": .date(.nan)], session)
        },
        withStore(
            "values/exact-dates",
            "Dates that differ by one bit are different in conditions, orders, groups and aggregates.",
            tellsDatesApart),
        withTown("values/reference", "A reference is the key of the related object.") { town in
            try town.expectRow("Bob", ["mentor": .integer(town.key("Ann"))])
        },
        withStore("values/wide-entity", "An entity can have more columns than a word has bits.") { session in
            let columns = (0..<Domain.wideCount).map { ("column\($0)", Value.integer(Int64($0))) }
            var values: [String: Value] = [:]
            for (index, (name, value)) in columns.enumerated() { values[name] = index % 3 == 0 ? value : .null }
            let key = try session.insert("Wide", values)
            try session.expectRow("Wide", key, values)
            let changes = [columns[columns.count - 1].0: Value.integer(-1), "column0": .null]
            try session.update(session.row("Wide", key), changes)
            try session.expectRow("Wide", key, values.merging(changes) { $1 }, "after an update of two columns")
        },
        withStore(
            "values/awkward-names",
            "Entities and properties can have any names, such as keywords and names with quotation marks.",
            keepsAwkwardNames),
        withStore("values/computed", "A value request returns each value in the type of its column.") { session in
            let everything = try session.entity("Everything")
            var random = SeededGenerator(seed: Settings.seed)
            var values: [String: Value] = [:]
            for (name, type) in Domain.types { values[name] = RandomValue.common(type.columnKind, &random) }
            try session.insert("Everything", values)
            let terms = try Domain.types.flatMap { name, _ in
                try [ValueRequest.Term.expression(everything[name]), .expression(everything["optional \(name)"])]
            }
            let expected = Domain.types.flatMap { name, _ in [values[name] ?? .null, .null] }
            try session.expectValues(everything.values(terms), [expected], "one of each kind, each followed by null")
        },
    ]

    private static func kept(_ id: String, _ name: String) -> ConformanceCase {
        withStore(id, "Every value of the kind '\(name)', and null, is read back as it was written.") { session in
            try keepsValues(in: name, session)
        }
    }

    private static func keepsValues(in name: String, _ session: Session) throws {
        let everything = try session.entity("Everything")
        var random = SeededGenerator(seed: Settings.seed)
        let kind = try everything.entity.kinds[everything.slot(name)]
        var values = try RandomValue.extremes(kind)
        values += (0..<100).map { _ in RandomValue.any(kind, &random) }
        let keys = try session.insert("Everything", all: values.map { [name: $0, "optional \(name)": $0] } + [[:]])
        let rows = try session.rows(everything.request())
        try expectEqual(rows.count, values.count + 1, "the number of rows")
        for (row, value) in zip(rows, values) {
            try expectSame(everything.value(name, of: row), value, "the required column")
            try expectSame(everything.value("optional \(name)", of: row), value, "the optional column")
        }
        try session.expectRow("Everything", keys[values.count], ["optional \(name)": .null], "a column without a value")
        // The same values in updates and comparisons, which bind values instead of inserting them.
        try session.commit { changes in
            for (row, value) in zip(rows.dropFirst(), values) {
                try changes.update(row, ["optional \(name)": value])
            }
            try changes.update(rows[0], ["optional \(name)": .null])
        }
        let updated = try session.rows(everything.request())
        try session.expectRow(updated[0], "the first row", ["optional \(name)": .null], "a value updated to null")
        for (row, value) in zip(updated.dropFirst(), values) {
            try expectSame(everything.value("optional \(name)", of: row), value, "an updated column")
        }
        for value in values {
            let found = try session.keys(everything.request(where: everything[name] == value))
            let equal = zip(keys, values).filter { ValueOrdering.isEqual($1, value) }.map(\.0)
            try expectEqual(
                found.filter { $0 != keys[values.count] }, equal, "the keys of the rows equal to \(value.shown)")
        }
    }

    /// Checks that two values are equal; equal doubles have the same bits, except for the sign of zero.
    private static func expectSame(_ found: Value, _ expected: Value, _ what: String) throws {
        if found != expected { try expectEqual(found.shown, expected.shown, what + " (shown in short)") }
        if found != expected { throw Mismatch("  \(what): the values differ where they are not shown") }
    }

    private static func refusesNaN(_ values: [String: Value], _ session: Session) throws {
        let one: [String: Value] = ["double": .double(1), "decimal": .decimal(1), "date": .date(1)]
        let row = try session.row("Everything", session.insert("Everything", one))
        for (name, value) in values.flatMap({ [($0, $1), ("optional \($0)", $1)] }) {
            try session.expectRefused(.invalidValue, "inserting a NaN as '\(name)'") {
                try $0.insert("Everything")
                try $0.insert("Everything", [name: value])
            }
            try session.expectRefused(.invalidValue, "updating '\(name)' to a NaN") {
                try $0.update(row, [name: value])
            }
        }
        try session.expectRows(session.rows(session.entity("Everything").request()), [row], "all rows")
    }

    private static func tellsDatesApart(_ session: Session) throws {
        let everything = try session.entity("Everything")
        let date = try everything["date"]
        let middle = 785_000_000.123_456_7
        let seconds = [middle.nextUp, middle.nextDown, middle, .infinity, middle, -.infinity, 0]
        let keys = try seconds.map { try session.insert("Everything", ["date": .date($0)]) }
        func places(_ predicate: RowPredicate) throws -> [Int] {
            try session.keys(everything.request(where: predicate)).compactMap(keys.firstIndex)
        }
        try expectEqual(try places(date == .date(middle)), [2, 4], "the places of a date")
        try expectEqual(try places(date < .date(middle)), [1, 5, 6], "the places of earlier dates")
        try expectEqual(try places(date > .date(middle)), [0, 3], "the places of later dates")
        let several = [Value.date(middle.nextUp), .date(-.infinity), .date(1)]
        try expectEqual(try places(.isIn(date, several)), [0, 5], "the places of the dates in a list")
        let long = (0..<1_000).map { Value.date(middle + Double($0)) } + [.date(middle.nextDown)]
        try expectEqual(try places(.isIn(date, long)), [1, 2, 4], "the places of the dates in a long list")
        let ordered = try session.keys(
            everything.request(order: [RowSort(date, ascending: false)])
        ).compactMap(keys.firstIndex)
        try expectEqual(ordered, [3, 0, 2, 4, 1, 6, 5], "the places in order")
        let groups = everything.values(
            [.expression(date), .aggregate(.count, .key)], where: date > .date(1),
            order: [RowSort(date, ascending: true)], groups: [date])
        let expected = [(middle.nextDown, 1), (middle, 2), (middle.nextUp, 1), (.infinity, 1)]
        try session.expectValues(groups, expected.map { [.date($0), .integer(Int64($1))] }, "the groups")
        let ends = everything.values(
            [.aggregate(.minimum, date), .aggregate(.maximum, date), .aggregate(.count, date)],
            where: date < .date(.infinity))
        try session.expectValues(ends, [[.date(-.infinity), .date(middle.nextUp), .integer(6)]], "the aggregates")
    }

    private static func keepsAwkwardNames(_ session: Session) throws {
        let order = try session.entity("order")
        var values: [String: Value] = [:]
        for (index, name) in EdgeCaseNames.names.enumerated() { values[name] = .integer(Int64(index)) }
        let key = try session.insert("order", values)
        let other = try session.insert(
            "Order", ["select": .text("it's"), "by": .integer(key), "by position": .integer(0)])
        try session.insert("a\"b'c; --", ["a": .text("b")])
        let accented = try session.insert("a\"\u{301}b'\u{301}c", ["b\"\u{301}": .text("c")])
        try session.expectRow("a\"\u{301}b'\u{301}c", accented, ["b\"\u{301}": .text("c")])
        try session.expectCount(of: "a\"\u{301}b'\u{301}c", 1, "the rows of the entity with accents")
        try session.commit { try $0.links = [session.link("li\"nk", key, other)] }
        try session.expectRow("order", key, values)
        for (name, value) in values {
            let found = try session.keys(order.request(where: order[name] == value, order: [order.sorted(name)]))
            try expectEqual(found, [key], "a fetch by the property \(name)")
        }
        for (relationship, owner, end) in [("where", key, other), ("li\"nk", key, other), ("LI\"NK", other, key)] {
            try expectEqual(try session.related(relationship, of: owner), [end], "the relationship '\(relationship)'")
        }
        try session.expectCount(of: "Order", 1, "the number of rows of 'Order', not 'order'")
    }
}
