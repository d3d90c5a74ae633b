import CofferStorage
public import Foundation

extension FieldCoders {
    /// Keeps objects as keyed archives.
    ///
    /// An archive is read by Foundation, which may stop the program when it was forged: use another coder for files
    /// that come from strangers.
    public struct NSCoding<V: Foundation.NSObject & Foundation.NSCoding>: FieldCoderType {
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
        public static func encoded(_ fieldValue: V?) throws -> Data? { try KeyedArchive.encoded(fieldValue) }

        /// The value of stored bytes.
        public static func decoded(_ data: Data?) throws -> V? { try KeyedArchive.decoded(data, as: V.self) }
    }
}
