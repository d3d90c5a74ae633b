public import Foundation

extension FieldCoders {
    /// Keeps values as a binary property list.
    ///
    /// The value is the only element of an array, as in CoreStore, whose stores it reads.
    public struct Plist<V: Codable>: _ReportingFieldCoder {
        /// The type of the values.
        public typealias FieldStoredValue = V

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
            return try FieldCoders.onlyElement(of: PropertyListDecoder().decode([V].self, from: data))
        }
    }
}
