public import Foundation

/// Adds the coder `FieldCoders.NSCoding`, which stores objects as keyed archives with a checksum.
extension FieldCoders {
    /// A coder that stores objects as keyed archives, each with its SHA-256.
    ///
    /// If an object cannot be archived, the commit throws an error. On Linux, this is the case for objects of a nested,
    /// private or generic class, because Foundation cannot find such a class by its name.
    ///
    /// A damaged archive is an error. An object graph with more than 512 levels is also an error, in an archive and at
    /// the commit.
    ///
    /// The SHA-256 protects against damage, but not against attacks, because an attacker can compute the SHA-256 of a
    /// forged archive. Foundation may stop the program at a forged archive, and creates objects of any class that the
    /// archive names. Use another coder for files from untrusted sources.
    public struct NSCoding<V: Foundation.NSObject & Foundation.NSCoding>: _ReportingFieldCoder {
        /// The type of the values.
        public typealias FieldStoredValue = V

        /// Returns the bytes of a value.
        public static func encoded(_ fieldValue: V?) throws -> Data? { try KeyedArchive.encoded(fieldValue) }

        /// Returns the value of stored bytes.
        public static func decoded(_ data: Data?) throws -> V? { try KeyedArchive.decoded(data, as: V.self) }
    }
}
