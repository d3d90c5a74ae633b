public import Foundation

/// A Foundation class that `@Field.Coded` stores without an explicit coder.
public protocol DefaultNSSecureCodable: NSObject, NSSecureCoding {}

extension NSArray: DefaultNSSecureCodable {}
extension NSData: DefaultNSSecureCodable {}
extension NSDate: DefaultNSSecureCodable {}
extension NSDictionary: DefaultNSSecureCodable {}
extension NSNull: DefaultNSSecureCodable {}
extension NSNumber: DefaultNSSecureCodable {}
extension NSSet: DefaultNSSecureCodable {}
extension NSString: DefaultNSSecureCodable {}
extension NSURL: DefaultNSSecureCodable {}
extension NSUUID: DefaultNSSecureCodable {}

extension FieldCoders {
    /// A coder for keyed archives of Foundation's own classes, with the list of these classes.
    public struct DefaultNSSecureCoding<T: DefaultNSSecureCodable>: _ReportingFieldCoder {
        /// The type of the values.
        public typealias FieldStoredValue = T

        /// Returns the bytes of a value.
        public static func encoded(_ fieldValue: T?) throws -> Data? {
            try KeyedArchive.encoded(fieldValue, requiringSecureCoding: true)
        }

        /// Returns the value of stored bytes.
        public static func decoded(_ data: Data?) throws -> T? {
            try KeyedArchive.decoded(data, as: T.self, onlyOf: KeyedArchive.foundationClasses)
        }
    }
}
