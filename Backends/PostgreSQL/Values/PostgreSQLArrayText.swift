import CofferStorage
import Foundation

/// Encodes a list of values as a PostgreSQL array literal.
struct PostgreSQLArrayText {
    // Bytes are appended many at once. Scalars are appended to a string one by one, which is slow for long lists.
    private var bytes: [UInt8] = []
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns the array of some values; nil if one of them is null or an object.
    static func array(of values: [Value]) -> String? {
        var array = PostgreSQLArrayText()
        array.bytes.reserveCapacity(values.reduce(2) { $0 + $1.tailSize + 4 })
        array.append("{")
        for (place, value) in values.enumerated() {
            if place > 0 { array.append(",") }
            guard array.append(value) else { return nil }
        }
        array.append("}")
        return String(decoding: array.bytes, as: UTF8.self)
    }

    private mutating func append(_ value: Value) -> Bool {
        switch value {
        case .null, .object: return false
        case .boolean(let flag): append(flag ? "t" : "f")
        case .integer(let number): append("\(number)")
        case .double(let number), .date(let number):
            append(number.isInfinite ? (number > 0 ? "Infinity" : "-Infinity") : "\(number)")
        case .decimal(let number): append("\(number)")
        case .text(let text): append(quoting: text)
        case .blob(let data): append(data)
        }
        return true
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(quoting text: String) {
        func isSpecial(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") }
        var text = text
        append("\"")
        text.withUTF8 { utf8 in
            guard utf8.contains(where: isSpecial) else { return bytes.append(contentsOf: utf8) }
            for byte in utf8 {
                if isSpecial(byte) { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte)
            }
        }
        append("\"")
    }

    private mutating func append(_ data: Data) {
        append(#""\\x"#)
        for byte in data {
            bytes.append(Self.digits[Int(byte >> 4)])
            bytes.append(Self.digits[Int(byte & 15)])
        }
        append("\"")
    }
}
