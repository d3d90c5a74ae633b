public import Foundation

extension FieldCoders {
    /// Keeps objects as keyed archives, each behind its SHA-256.
    ///
    /// An object that cannot be archived is an error at commit: on Linux that is one of a nested, private or generic class,
    /// which Foundation does not find again by its name.
    ///
    /// One that was damaged is an error, and so is one whose objects are in one another beyond 512 levels, also at commit.
    ///
    /// The sum protects from damage, and from nobody: whoever forges an archive can forge its sum. Foundation may stop the
    /// program at a forged one, and makes objects of whatever classes it names. Use another coder for files that come from
    /// strangers.
    public struct NSCoding<V: Foundation.NSObject & Foundation.NSCoding>: _ReportingFieldCoder {
        /// The type of the values.
        public typealias FieldStoredValue = V

        /// The bytes of a value.
        public static func encoded(_ fieldValue: V?) throws -> Data? { try KeyedArchive.encoded(fieldValue) }

        /// The value of stored bytes.
        public static func decoded(_ data: Data?) throws -> V? { try KeyedArchive.decoded(data, as: V.self) }
    }
}
