import CofferStorage
import Foundation

/// Formats records as JSON or CSV: quotation marks, escapes, dates and numbers.
struct RecordText {
    var bytes = Data()

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends an object of JSON.
    mutating func appendObject(_ keys: [String], _ values: [RecordValue]) {
        var opening = "{"
        for (key, value) in zip(keys, values) {
            let content: String
            switch value {
            case .absent: continue
            case .value(let value): content = Self.json(value)
            case .list(let values): content = Self.json(values)
            }
            append(opening)
            append(Self.quoted(key))
            append(":")
            append(content)
            opening = ","
        }
        append(opening == "{" ? "{}" : "}")
    }

    /// Appends a row of CSV.
    mutating func appendRow(_ values: [RecordValue], _ separator: Character) {
        for (index, value) in values.enumerated() {
            if index > 0 { append(String(separator)) }
            switch value {
            case .absent, .value(.null): break
            case .value(.text(let text)): append(Self.field(text, separator))
            case .value(let value): append(Self.field(Self.plain(value), separator))
            case .list(let values): append(Self.field(Self.json(values), separator))
            }
        }
        append("\r\n")
    }

    private static func json(_ values: [Value]) -> String { "[" + values.map { json($0) }.joined(separator: ",") + "]" }

    private static func json(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .boolean, .integer, .decimal: plain(value)
        case .double(let number): number.isFinite ? "\(number)" : quoted("\(number)")
        case .date(let seconds): RecordDate.text(seconds).map(quoted) ?? json(.double(seconds))
        case .text, .blob, .object: quoted(plain(value))
        }
    }

    /// The value without the marks of a format.
    private static func plain(_ value: Value) -> String {
        switch value {
        case .null: ""
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .text(let text): text
        case .blob(let data): data.base64EncodedString()
        case .date(let seconds): RecordDate.text(seconds) ?? "\(seconds)"
        case .object(let id): "\(id)"
        }
    }

    private static func field(_ text: String, _ separator: Character) -> String {
        let isPlain =
            !text.utf8.isEmpty
            && !text.unicodeScalars.contains {
                $0 == "\"" || $0 == "\n" || $0 == "\r" || Character($0) == separator
            }
        // A byte-order mark at the beginning of a file would be lost.
        guard !isPlain || text.unicodeScalars.first == "\u{FEFF}" else { return text }
        // The loop reads scalars, because a quotation mark and a following accent are one character.
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                quoted += "\\u" + String(0x10000 + scalar.value, radix: 16).dropFirst()
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
