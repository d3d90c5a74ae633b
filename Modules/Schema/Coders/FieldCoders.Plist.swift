public import Foundation

extension FieldCoders {
    /// Keeps values as a binary property list.
    ///
    /// The value is the only element of an array, as in CoreStore, whose stores it reads. Lists in the XML format are read
    /// too. Nesting beyond 512 levels is an error, also at commit.
    public struct Plist<V: Codable>: _ReportingFieldCoder {
        /// The type of the values.
        public typealias FieldStoredValue = V

        /// The bytes of a value.
        public static func encoded(_ fieldValue: V?) throws -> Data? {
            guard let fieldValue else { return nil }
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            let data = try encoder.encode([fieldValue])
            // What could not be read again is not written.
            try PropertyListBounds.check(data)
            return data
        }

        /// The value of stored bytes.
        public static func decoded(_ data: Data?) throws -> V? {
            guard let data else { return nil }
            try PropertyListBounds.check(data)
            return try FieldCoders.onlyElement(of: PropertyListDecoder().decode([V].self, from: data))
        }
    }
}
