import Foundation

/// Encodes and decodes a value as a JSON object with one member, such as `{"integer": 3}`.
///
/// Null is `{"null": true}`.
extension Value {
    private enum Key: String, CodingKey {
        case null, boolean, integer, double, decimal, text, blob, instant, object
        /// Whole microseconds since 2001, for dates in the models of stores of format 1; never written.
        case date
    }

    /// Decodes a value from an object with one member.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "A value needs exactly one member.")
            )
        }
        self =
            switch key {
            case .null: .null
            case .boolean: .boolean(try container.decode(Bool.self, forKey: key))
            case .integer: .integer(try container.decode(Int64.self, forKey: key))
            case .double: .double(Double(bitPattern: try container.decode(UInt64.self, forKey: key)))
            case .decimal: .decimal(try Self.decimal(container.decode(String.self, forKey: key), at: decoder))
            case .text: .text(try container.decode(String.self, forKey: key))
            case .blob: .blob(try container.decode(Data.self, forKey: key))
            case .instant: .date(Double(bitPattern: try container.decode(UInt64.self, forKey: key)))
            case .date: .date(Double(try container.decode(Int64.self, forKey: key)) / 1_000_000)
            case .object: .object(try container.decode(ObjectID.self, forKey: key))
            }
    }

    /// Encodes the value as an object with one member.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .null: try container.encode(true, forKey: .null)
        case .boolean(let value): try container.encode(value, forKey: .boolean)
        case .integer(let value): try container.encode(value, forKey: .integer)
        case .double(let value): try container.encode(value.bitPattern, forKey: .double)
        case .decimal(let value): try container.encode(value.description, forKey: .decimal)
        case .text(let value): try container.encode(value, forKey: .text)
        case .blob(let value): try container.encode(value, forKey: .blob)
        case .date(let value): try container.encode(value.bitPattern, forKey: .instant)
        case .object(let value): try container.encode(value, forKey: .object)
        }
    }

    private static func decimal(_ text: String, at decoder: any Decoder) throws -> Decimal {
        guard let value = Decimal(string: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not a decimal number.")
            )
        }
        return value
    }
}
