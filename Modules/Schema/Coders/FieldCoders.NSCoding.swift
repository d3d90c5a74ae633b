public import Foundation

extension FieldCoders {
    /// Keeps objects as keyed archives.
    ///
    /// An archive is read by Foundation, which may stop the program when it was forged: use another coder for files
    /// that come from strangers.
    public struct NSCoding<V: Foundation.NSObject & Foundation.NSCoding>: _ReportingFieldCoder {
        /// The type of the values.
        public typealias FieldStoredValue = V

        /// The bytes of a value.
        public static func encoded(_ fieldValue: V?) throws -> Data? { try KeyedArchive.encoded(fieldValue) }

        /// The value of stored bytes.
        public static func decoded(_ data: Data?) throws -> V? { try KeyedArchive.decoded(data, as: V.self) }
    }
}
