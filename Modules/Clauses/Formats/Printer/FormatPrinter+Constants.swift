import CofferEvaluation
import CofferStorage
import Foundation

/// Prints constants, quoted strings and keys as parts of a format string.
extension FormatPrinter {
    mutating func append(_ value: Value) {
        switch value {
        case .null: text += "nil"
        case .boolean(let flag): text += flag ? "1" : "0"
        case .integer(let number): text += "\(number)"
        case .double(let number):
            if number.isFinite { text += "\(number)" } else { appendCast("\(number)", .number) }
        case .decimal(let number): appendCast("\(number)", .decimal)
        case .text(let string): appendQuoted(string)
        case .blob(let data): appendCast(data.base64EncodedString(), .data)
        case .date(let seconds): append(date: seconds)
        case .object(let id): appendCast(id.uriRepresentation().absoluteString, .object)
        }
    }

    private mutating func appendCast(_ literal: String, _ type: ValueCast) {
        text += "CAST("
        appendQuoted(literal)
        text += ", \"\(type.rawValue)\")"
    }

    private mutating func append(date seconds: Double) {
        text += "CAST("
        if let whole = Int64(exactly: seconds) { text += "\(whole)" } else { append(.double(seconds)) }
        text += ", \"\(ValueCast.date.rawValue)\")"
    }

    mutating func appendKey(_ key: String) {
        let isOperator = key.utf8.first == UInt8(ascii: "@")
        let name = isOperator ? key.dropFirst() : key[...]
        if !name.isFormatName {
            text += "#"
            appendQuoted(key)
        } else {
            if !isOperator, FormatKeyword(ArraySlice(name.utf8)) != nil { text += "#" }
            text += key
        }
    }

    mutating func appendQuoted(_ string: String) {
        text += "\""
        let percent: Unicode.Scalar = "%"
        var previous: Unicode.Scalar?
        let scalars = string.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            switch scalar {
            case "\"", "\\":
                text += "\\"
                text.unicodeScalars.append(scalar)
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case percent:
                // One that stands alone means itself; of several, each is written twice.
                let next = scalars.index(after: index)
                let isAlone = previous != percent && (next == scalars.endIndex || scalars[next] != percent)
                text += isAlone ? "%" : "%%"
            case _ where scalar.value < 32:
                text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        text += "\""
    }
}

extension Substring {
    /// Whether the parser reads the string as one word.
    fileprivate var isFormatName: Bool {
        guard let first = utf8.first, FormatLexer.startsName(first) else { return false }
        return utf8.allSatisfy(FormatLexer.continuesName)
    }
}
