import CofferStorage
import Foundation

/// A record with fields known at run time: decodes values by attribute type, and refuses unknown keys and nulls.
///
/// A ``RecordReader`` with fields reads such records.
public struct FieldRecord: Decodable, Sendable, Hashable {
    /// The record's value for each field, in the order of the fields.
    public let values: [RecordValue]

    /// Decodes the fields of the reader.
    ///
    /// - Throws: `DecodingError`. If the record has a key without a field, or a value that its type cannot hold, the
    ///   error names the key.
    public init(from decoder: any Decoder) throws {
        guard let place = CodingUserInfoKey.recordShape, let shape = decoder.userInfo[place] as? Shape else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The reader has no fields. Create it with 'fields'."))
        }
        let container = try decoder.container(keyedBy: Key.self)
        var known = 0
        values = try shape.fields.map { field in
            let key = Key(stringValue: field.name)
            guard container.contains(key) else { return .absent }
            known += 1
            do {
                return try Self.value(field, key, container)
            } catch let error as RecordFieldError {
                throw error
            } catch {
                // If Foundation cannot represent a value, Foundation's error has no key, and has another type.
                throw field.error((error as? DecodingError)?.reason ?? Self.reason(against: field))
            }
        }
        let keys = container.allKeys
        guard keys.count != known else { return }
        for key in keys.lazy.map(\.stringValue).sorted() {
            if let error = shape.refusal(ofKey: key) { throw error }
        }
    }

    private static func value(
        _ field: RecordField, _ key: Key, _ record: KeyedDecodingContainer<Key>
    ) throws -> RecordValue {
        let decoder = try record.superDecoder(forKey: key)
        let single = try decoder.singleValueContainer()
        guard single.decodeNil() else {
            guard field.isList else { return .value(try value(field, single)) }
            var elements = try decoder.unkeyedContainer()
            var values: [Value] = []
            while !elements.isAtEnd {
                values.append(try value(field, elements.superDecoder().singleValueContainer()))
            }
            return .list(values)
        }
        if field.isList { return .list([]) }
        if field.isOptional { return .value(.null) }
        // An empty field of CSV is null, and also an empty string.
        guard field.type == .stringAttributeType, !field.isUUID, let text = try? single.decode(String.self) else {
            throw field.error("The value is null, and the attribute is required.")
        }
        return .value(.text(text))
    }

    private static func value(_ field: RecordField, _ container: any SingleValueDecodingContainer) throws -> Value {
        switch field.type {
        case .integer16AttributeType: return .integer(Int64(try container.decode(Int16.self)))
        case .integer32AttributeType: return .integer(Int64(try container.decode(Int32.self)))
        case .integer64AttributeType: return .integer(try container.decode(Int64.self))
        case .decimalAttributeType:
            let number = try container.decode(Decimal.self)
            guard !number.isNaN else { throw field.error("The value is not a number.") }
            return .decimal(number)
        case .doubleAttributeType, .floatAttributeType:
            let number = try container.decode(Double.self)
            guard !number.isNaN else { throw field.error("The value is not a number.") }
            guard field.type == .floatAttributeType else { return .double(number) }
            let rounded = Double(Float(number))
            guard rounded.isFinite || number.isInfinite, rounded != 0 || number == 0 else {
                throw field.error("The value is out of the range of its type, \(field.type.rawValue).")
            }
            return .double(rounded)
        case .stringAttributeType:
            let text = try container.decode(String.self)
            guard field.isUUID else { return .text(text) }
            guard let id = UUID(uuidString: text) else { throw field.error("The string is not a UUID.") }
            return .text(id.uuidString.lowercased())
        case .booleanAttributeType: return .boolean(try container.decode(Bool.self))
        case .dateAttributeType: return .date(try container.decode(Date.self).timeIntervalSinceReferenceDate)
        case .binaryDataAttributeType, .transformableAttributeType, .undefinedAttributeType:
            return .blob(try container.decode(Data.self))
        case .objectIDAttributeType:
            throw field.error("An object id cannot be read from a file.")
        }
    }

    /// The reason for refusing a value that Foundation cannot represent.
    private static func reason(against field: RecordField) -> String {
        switch field.type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType, .floatAttributeType:
            "The value is not a number of its type, \(field.type.rawValue), or is out of the range of the type."
        case .dateAttributeType: "Expected a date: \(RecordDate.form)."
        default: "The string has an invalid escape, a control character without an escape, or bytes that are not UTF-8."
        }
    }
}

extension RecordField {
    /// The error for a value that the field cannot have.
    fileprivate func error(_ reason: String) -> RecordFieldError { RecordFieldError(key: name, reason: reason) }
}

extension FieldRecord {
    /// The fields and options that the decoder needs.
    struct Shape: Sendable {
        let fields: [RecordField]
        let ignoresUnknownKeys: Bool

        /// - Returns: the error for a key that cannot be used; nil for other keys.
        func refusal(ofKey key: String) -> RecordFieldError? {
            guard !ignoresUnknownKeys, !fields.contains(where: { $0.name == key }) else { return nil }
            let names = fields.map { "'\($0.name)'" }.joined(separator: ", ")
            return RecordFieldError(
                key: key, reason: "The key is unknown. The keys are \(names). An option ignores unknown keys."
            )
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

extension CodingUserInfoKey {
    /// The key of the shape in the user info of a decoder of ``FieldRecord``.
    static let recordShape = Self(rawValue: "coffer.recordShape")
}
