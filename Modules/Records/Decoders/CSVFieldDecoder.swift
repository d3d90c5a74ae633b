import Foundation

/// Decodes one CSV field: the accepted strings for Booleans, numbers, dates and data, and the reasons of refusals.
///
/// Types that JSON stores as strings or numbers are decoded from the same strings: dates, decimals, URLs and data.
struct CSVFieldDecoder: Decoder, SingleValueDecodingContainer {
    let field: CSVField
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch(type, "A CSV field has one value, and is not an object.")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw mismatch([Any].self, "A CSV field has one value, and is not a list.")
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { field.isNull }

    func decode(_ type: String.Type) -> String { field.text }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard !field.isNull else { throw missing(type) }
        return switch field.text {
        case "true", "TRUE", "True", "1": true
        case "false", "FALSE", "False", "0": false
        default: throw mismatch(type)
        }
    }

    func decode(_ type: Double.Type) throws -> Double { try floating(type) }
    func decode(_ type: Float.Type) throws -> Float { try floating(type) }
    func decode(_ type: Int.Type) throws -> Int { try number(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let found: Any?
        switch type {
        case is Date.Type: found = RecordDate.date(field.text)
        case is Decimal.Type: found = RecordDecimal.decimal(field.text)
        case is URL.Type: found = URL(string: field.text)
        case is Data.Type: found = Data(base64Encoded: field.text)
        default: return try T(from: self)
        }
        guard !field.isNull else { throw missing(type) }
        if let value = found as? T { return value }
        switch type {
        case is Date.Type:
            throw mismatch(type, "Expected a date: \(RecordDate.form). Seconds need a sign or a fraction, such as 0.0.")
        case is Decimal.Type where NumberText(field.text) != nil:
            throw mismatch(type, "Expected a decimal number with at most 38 digits.")
        default: throw mismatch(type)
        }
    }

    /// Reads a decimal number, or the string of an infinite number.
    private func floating<T: BinaryFloatingPoint & LosslessStringConvertible>(_ type: T.Type) throws -> T {
        if let infinite = RecordDate.infinity(field.text) { return T(infinite) }
        // Swift also reads hexadecimal numbers and 'nan'.
        guard field.text.utf8.allSatisfy({ Self.numberBytes.contains($0) }) else { throw mismatch(type) }
        let number = try number(type)
        // A number that is too small is read as zero.
        guard number.isFinite, number != 0 || NumberText(field.text)?.isZero != false else {
            throw mismatch(type, "The number is out of the range of \(type).")
        }
        return number
    }

    private static let numberBytes = Set("0123456789+-.eE".utf8)

    private func number<T: LosslessStringConvertible>(_ type: T.Type) throws -> T {
        guard !field.isNull else { throw missing(type) }
        guard let number = T(field.text) else { throw mismatch(type) }
        return number
    }

    private func missing(_ type: Any.Type) -> DecodingError {
        .valueNotFound(
            type, .init(codingPath: codingPath, debugDescription: "Expected to decode \(type), but the field is empty.")
        )
    }

    private func mismatch(_ type: Any.Type, _ text: String? = nil) -> DecodingError {
        let text = text ?? "The content of the field is not a value of \(type)."
        return .typeMismatch(type, .init(codingPath: codingPath, debugDescription: text))
    }
}
