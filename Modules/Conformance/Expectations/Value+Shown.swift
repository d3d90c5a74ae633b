import CofferStorage
import Foundation

/// Describes a value in the message of a failure.
extension Value {
    /// The value in the message of a failure; a long string or blob is replaced by its length.
    var shown: String {
        switch self {
        case .text(let text) where text.utf8.count > 60: "a text of \(text.utf8.count) bytes"
        case .text(let text): "\"\(text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())\""
        case .blob(let data) where data.count > 60: "a blob of \(data.count) bytes"
        case .blob(let data): "bytes \(Array(data))"
        case .date(let seconds): "date \(seconds) s"
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number) as double"
        case .decimal(let number): "\(number) as decimal"
        case .object(let id): "\(id)"
        }
    }
}
