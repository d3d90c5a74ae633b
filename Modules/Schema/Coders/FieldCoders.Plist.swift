public import Foundation

/// Adds the coder `FieldCoders.Plist`, which stores `Codable` values as binary property lists.
extension FieldCoders {
    /// A coder that stores values as binary property lists.
    ///
    /// The value is the only element of an array, as in CoreStore, so the coder can read the stores of CoreStore. It
    /// also reads property lists in the XML format. If a value has more than 512 nested levels, encoding and decoding
    /// throw an error.
    public struct Plist<V: Codable>: _ReportingFieldCoder {
        /// The type of the values.
        public typealias FieldStoredValue = V

        /// Returns the bytes of a value.
        public static func encoded(_ fieldValue: V?) throws -> Data? {
            guard let fieldValue else { return nil }
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            let data = try encoder.encode([fieldValue])
            // A property list that could not be decoded is not written.
            try PropertyListBounds.check(data)
            return data
        }

        /// Returns the value of stored bytes.
        public static func decoded(_ data: Data?) throws -> V? {
            guard let data else { return nil }
            try PropertyListBounds.check(data)
            return try FieldCoders.onlyElement(of: PropertyListDecoder().decode([V].self, from: data))
        }
    }
}
