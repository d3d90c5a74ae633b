import CofferStorage
public import Foundation

extension FieldCoders {
    /// Keeps values as a binary property list.
    ///
    /// The value is the only element of an array, as in CoreStore, whose stores it reads.
    public struct Plist<V: Codable>: FieldCoderType {
        /// The type of the values.
        public typealias FieldStoredValue = V

        /// The bytes of a value; nil when it cannot be encoded, which is logged.
        public static func encodeToStoredData(_ fieldValue: V?) -> Data? {
            FieldCoders.reporting("encoded") { try encoded(fieldValue) }
        }

        /// The value of stored bytes; nil when they are damaged, which is logged.
        public static func decodeFromStoredData(_ data: Data?) -> V? {
            FieldCoders.reporting("decoded") { try decoded(data) }
        }

        /// The bytes of a value.
        public static func encoded(_ fieldValue: V?) throws -> Data? {
            guard let fieldValue else { return nil }
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            return try encoder.encode([fieldValue])
        }

        /// The value of stored bytes.
        public static func decoded(_ data: Data?) throws -> V? {
            guard let data else { return nil }
            guard let value = try PropertyListDecoder().decode([V].self, from: data).first else {
                throw FieldCodingError("They hold no value.")
            }
            return value
        }
    }
}
