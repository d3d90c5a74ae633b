import CofferSQL
import CofferStorage
import Foundation

/// The SQL of SQLite for functions, aggregates, string tests and lists; this SQL calls functions that Coffer registers.
struct SQLiteDialect: SQLDialect {
    /// Whether a function of Coffer sums integers.
    ///
    /// The sum of SQLite is faster, but it fails if an intermediate sum exceeds 64 bits and the result does not.
    var hasWideSums = false

    func quoted(_ identifier: String) -> String { identifier.quoted(by: "\"") }

    /// Returns the columns of a shape, for a statement that begins with the table of the rows.
    func selection(_ shape: SQLRowShape) -> String {
        shape.columnNames.map { "t0.\(quoted($0))" }.joined(separator: ", ")
    }

    func placeholder(_ index: Int) -> String { "?" }

    var isSame: String { "IS" }
    var isNotSame: String { "IS NOT" }

    /// Returns an empty string, because SQLite sorts null first by default.
    func nullOrder(ascending: Bool) -> String { "" }

    func limitClause(offset: Int, limit: Int?, bind: (Value) -> String) -> String {
        let clause = " LIMIT \(bind(.integer(Int64(limit ?? -1))))"
        return offset > 0 ? clause + " OFFSET \(bind(.integer(Int64(offset))))" : clause
    }

    var sharesPlaces: Bool { false }
    var sortsDistinctGroups: Bool { true }
    var depthLimit: Int? { nil }

    var ordersJoins: Bool { false }

    /// The marks; SQLite has statistics of the values of an index only if it was built with them.
    var indexMarks: SQLIndexMarks? { SQLIndexMarks(expression: "+", table: " NOT INDEXED") }

    func mixedComparison(_ left: SQLOperand, _ operation: String, _ right: SQLOperand) -> String? {
        if left.kind == .decimal || right.kind == .decimal {
            return "coffer_compare(\(left.text), \(right.text)) \(operation) 0"
        }
        // SQLite compares integers with doubles exactly, except when it looks up an integer in an index of doubles.
        // The plus prevents the use of the index.
        return "\(left.kind == .double ? "+" : "")\(left.text) \(operation) \(right.text)"
    }

    func aggregate(_ aggregate: ValueRequest.Aggregate, of operand: SQLOperand) -> String? {
        let (kind, text) = (operand.kind ?? .integer, operand.text)
        // The result of a function does not have the collation of its argument, and would be compared as text.
        return switch (aggregate, kind) {
        case (.count, _): "COUNT(\(text))"
        case (.sum, .decimal): "coffer_sum(\(text))\(collation(of: kind))"
        case (.average, .decimal): "coffer_average(\(text))\(collation(of: kind))"
        case (.sum, .double): "coffer_double_sum(\(text))"
        case (.average, .double): "coffer_double_average(\(text))"
        case (.sum, _): hasWideSums ? "coffer_integer_sum(\(text))" : "COALESCE(SUM(\(text)), 0)"
        case (.average, _): "coffer_integer_average(\(text))"
        case (.minimum, _): "MIN(\(text))\(collation(of: kind))"
        case (.maximum, _): "MAX(\(text))\(collation(of: kind))"
        }
    }

    func comparedAggregate(
        _ aggregate: ValueRequest.Aggregate, of operand: SQLOperand, isRelated: Bool
    ) -> String? {
        let (kind, text) = (operand.kind ?? .integer, operand.text)
        return switch (aggregate, kind) {
        case (.sum, .decimal): "coffer_compared_sum(\(text))\(collation(of: kind))"
        case (.average, .decimal): "coffer_compared_average(\(text))\(collation(of: kind))"
        case (.sum, .double): self.aggregate(aggregate, of: operand)
        case (.sum, _) where isRelated || hasWideSums: "coffer_compared_integer_sum(\(text))"
        default: self.aggregate(aggregate, of: operand)
        }
    }

    func computation(_ function: ValueFunction, of operands: [SQLOperand]) -> String? {
        let symbols: [ValueFunction: String] = [.add: " + ", .subtract: " - ", .multiply: " * ", .divide: " / "]
        let (kinds, texts) = (operands.map(\.kind), operands.map(\.text))
        if let symbol = symbols[function], !kinds.contains(.decimal) {
            return "(\(texts.joined(separator: symbol)))"
        }
        let call = "\(SQLiteFunctions.name(of: function))(\(texts.joined(separator: ", ")))"
        // An integer beyond 64 bits is a double, also in a computation with decimals.
        return function.kind(of: kinds) == .decimal ? "coffer_as_decimal(\(call))" : call
    }

    func textTest(_ left: String, _ relation: TextRelation, _ right: String, _ options: TextOptions) -> String? {
        "\(SQLiteFunctions.name(of: relation))(\(left), \(right), \(options.rawValue))"
    }

    func collation(of kind: ColumnKind) -> String {
        switch kind {
        case .decimal: " COLLATE coffer_decimal"
        // Otherwise, the expression gets the collation of a decimal inside of it, for example in a condition of CASE.
        case .text: " COLLATE BINARY"
        default: ""
        }
    }

    func isOneOf(_ count: Int) -> String { "IN (\((0..<count).map(placeholder).joined(separator: ", ")))" }

    var listLimit: Int { 512 }

    func longList(_ values: [Value], kind: ColumnKind) -> (before: String, binding: Value, after: String)? {
        guard let (json, isPlain) = json(values, kind) else { return nil }
        return ("SELECT \(decoded("value", kind, isPlain: isPlain)) FROM json_each(", json, ")")
    }

    func joinedList(
        _ values: [Value], kind: ColumnKind, alias: String
    ) -> (before: String, binding: Value, after: String, value: String)? {
        guard let (json, isPlain) = json(values, kind) else { return nil }
        return ("json_each(", json, ") \(alias)", decoded("\(alias).value", kind, isPlain: isPlain))
    }

    /// Returns a list in JSON, and whether the list contains its strings without an encoding.
    private func json(_ values: [Value], _ kind: ColumnKind) -> (json: Value, isPlain: Bool)? {
        if kind == .text, let json = Self.plainList(values) { return (.text(json), true) }
        let items = values.compactMap(item)
        guard items.count == values.count else { return nil }
        return (.text("[" + items.joined(separator: ",") + "]"), false)
    }

    /// Returns the expression that decodes an item of a list.
    private func decoded(_ item: String, _ kind: ColumnKind, isPlain: Bool) -> String {
        switch kind {
        case .integer, .reference, .boolean, .decimal: item
        case .double, .date: "coffer_double(\(item))"
        case .text: isPlain ? item : "CAST(coffer_bytes(\(item)) AS TEXT)"
        case .blob: "coffer_bytes(\(item))"
        }
    }

    /// Returns a value in JSON.
    ///
    /// Doubles are written as their bits, and strings as hexadecimal digits. Not every SQLite preserves all of them
    /// in JSON.
    private func item(_ value: Value) -> String? {
        switch value {
        case .null, .object: nil
        case .boolean(let flag): flag ? "1" : "0"
        case .integer(let number): "\(number)"
        case .double(let number), .date(let number): "\(Int64(bitPattern: number.bitPattern))"
        case .decimal(let number): "\"\(number)\""
        case .text(let text): Self.hexadecimal(text.utf8)
        case .blob(let data): Self.hexadecimal(data)
        }
    }

    /// Returns a JSON array of strings that need no escapes; nil if a string needs one.
    private static func plainList(_ values: [Value]) -> String? {
        var json: [UInt8] = []
        json.reserveCapacity(values.count * 24)
        json.append(UInt8(ascii: "["))
        for value in values {
            guard case .text(var text) = value else { return nil }
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json.append(UInt8(ascii: "\""))
            let isPlain = text.withUTF8 { bytes in
                json.append(contentsOf: bytes)
                return bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            }
            guard isPlain else { return nil }
            json.append(UInt8(ascii: "\""))
        }
        json.append(UInt8(ascii: "]"))
        return String(decoding: json, as: UTF8.self)
    }

    private static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = [34]
        text.reserveCapacity(bytes.count * 2 + 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        text.append(34)
        return String(decoding: text, as: UTF8.self)
    }
}
