import CofferEvaluation
import CofferStorage
import Foundation

/// Describes constants, quoted strings and keys as parts of a format string.
extension Value {
    /// The literal of the value, or the cast of a literal.
    var formatLiteral: String {
        switch self {
        case .null: "nil"
        case .boolean(let flag): flag ? "1" : "0"
        case .integer(let number): "\(number)"
        case .double(let number): number.isFinite ? "\(number)" : Self.cast("\(number)".formatQuoted, .number)
        case .decimal(let number): Self.cast("\(number)".formatQuoted, .decimal)
        case .text(let string): string.formatQuoted
        case .blob(let data): Self.cast(data.base64EncodedString().formatQuoted, .data)
        case .date(let seconds):
            Self.cast(Int64(exactly: seconds).map { "\($0)" } ?? Value.double(seconds).formatLiteral, .date)
        case .object(let id): Self.cast(id.uriRepresentation().absoluteString.formatQuoted, .object)
        }
    }

    private static func cast(_ literal: String, _ type: ValueCast) -> String {
        "CAST(\(literal), \"\(type.rawValue)\")"
    }
}

extension String {
    /// The string as a key of a path.
    var formatKey: String {
        let isOperator = utf8.first == UInt8(ascii: "@")
        let name = isOperator ? dropFirst() : self[...]
        guard name.isFormatName else { return "#" + formatQuoted }
        return !isOperator && FormatKeyword.spelled(ArraySlice(name.utf8)) != nil ? "#" + self : self
    }

    /// The string between quotation marks, with escapes.
    var formatQuoted: String {
        var text = "\""
        let percent: Unicode.Scalar = "%"
        var previous: Unicode.Scalar?
        for index in unicodeScalars.indices {
            let scalar = unicodeScalars[index]
            switch scalar {
            case "\"", "\\":
                text += "\\"
                text.unicodeScalars.append(scalar)
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case percent:
                // A single percent sign is written once. Of several adjacent percent signs, each is written twice.
                let next = unicodeScalars.index(after: index)
                let isAlone = previous != percent && (next == endIndex || unicodeScalars[next] != percent)
                text += isAlone ? "%" : "%%"
            case _ where scalar.value < 32:
                text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return text + "\""
    }
}

extension Substring {
    /// Whether the parser reads the string as one word.
    fileprivate var isFormatName: Bool {
        guard let first = utf8.first, FormatLexer.startsName(first) else { return false }
        return utf8.allSatisfy(FormatLexer.continuesName)
    }
}
