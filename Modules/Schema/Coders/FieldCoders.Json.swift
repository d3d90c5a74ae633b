public import Foundation

extension FieldCoders {
    /// Keeps values as JSON.
    ///
    /// The value is the only element of an array, as in CoreStore, whose stores it reads.
    public struct Json<V: Codable>: _ReportingFieldCoder {
        /// The type of the values.
        public typealias FieldStoredValue = V

        /// The bytes of a value.
        public static func encoded(_ fieldValue: V?) throws -> Data? {
            guard let fieldValue else { return nil }
            let encoder = JSONEncoder()
            // Equal values give equal bytes, so that setting one again changes nothing.
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode([fieldValue])
        }

        /// The value of stored bytes.
        public static func decoded(_ data: Data?) throws -> V? {
            guard let data else { return nil }
            return try FieldCoders.onlyElement(of: JSONDecoder().decode([V].self, from: data))
        }
    }
}
