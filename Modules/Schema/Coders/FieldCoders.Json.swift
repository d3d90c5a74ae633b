public import Foundation

/// Adds the coder `FieldCoders.Json`, which stores `Codable` values as JSON.
extension FieldCoders {
    /// A coder that stores `Codable` values as JSON.
    ///
    /// ```swift
    /// class Person: CoreStoreObject {
    ///     @Field.Coded("tags", coder: FieldCoders.Json.self)
    ///     var tags: [String] = []
    /// }
    /// ```
    ///
    /// The bytes are a JSON array whose only element is the value, as in CoreStore. If the value cannot be encoded, the
    /// commit throws the error of the encoder.
    public struct Json<V: Codable>: _ReportingFieldCoder {
        /// The type of the values.
        public typealias FieldStoredValue = V

        /// Returns the bytes of a value.
        public static func encoded(_ fieldValue: V?) throws -> Data? {
            guard let fieldValue else { return nil }
            let encoder = JSONEncoder()
            // Equal values have equal bytes, so that setting an equal value changes nothing.
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode([fieldValue])
        }

        /// Returns the value of stored bytes.
        public static func decoded(_ data: Data?) throws -> V? {
            guard let data else { return nil }
            return try FieldCoders.onlyElement(of: JSONDecoder().decode([V].self, from: data))
        }
    }
}
