/// Decodes a CSV row by the column names of the header; has the error for a missing column.
struct CSVRowDecoder: Decoder {
    let header: CSVHeader
    let row: [CSVField]
    let userInfo: [CodingUserInfoKey: Any]

    var codingPath: [any CodingKey] { [] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(CSVRowContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.typeMismatch(
            [Any].self, .init(codingPath: [], debugDescription: "A CSV row has named fields, and is not a list."))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw DecodingError.typeMismatch(
            Any.self, .init(codingPath: [], debugDescription: "A CSV row has named fields, and is not a single value."))
    }
}

/// The fields of a row by their keys.
private struct CSVRowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: CSVRowDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.header.names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { decoder.header.places[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try field(key).decodeNil() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try field(key).decode(type) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw noContainer(key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw noContainer(key) }

    func superDecoder() throws -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder { try field(key) }

    private func field(_ key: Key) throws -> CSVFieldDecoder {
        guard let place = decoder.header.places[key.stringValue] else {
            let text = "There is no column '\(key.stringValue)'."
            throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: text))
        }
        return CSVFieldDecoder(field: decoder.row[place], codingPath: [key], userInfo: decoder.userInfo)
    }

    private func noContainer(_ key: Key) -> DecodingError {
        .typeMismatch(
            Any.self, .init(codingPath: [key], debugDescription: "A CSV field has one value, and is not an object."))
    }
}
