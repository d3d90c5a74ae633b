// The protocols document the meaning of these witnesses.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

// Foundation's classes have the rules of the values that they represent.

/// Makes `NSNumber`, `NSString`, `NSData`, `NSDate`, `NSURL` and `NSUUID` attribute types.
///
/// An `NSNumber` is stored as a 64-bit integer, as in Core Data: its fraction is cut off, and a Boolean becomes 0 or 1.
extension NSNumber: ImportableAttributeType, FieldStorableType {
    public static var cs_rawAttributeType: AttributeType {
        self is NSDecimalNumber.Type ? .decimalAttributeType : .integer64AttributeType
    }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Self? { value as? Self }
    public static func cs_fromFieldStoredNativeType(_ value: NSNumber) -> Self { requireValue(value) }
    public func cs_toQueryableNativeType() -> NSNumber { self }
}

extension NSString: ImportableAttributeType, FieldStorableType {
    public static var cs_rawAttributeType: AttributeType { .stringAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSString) -> Self? { value as? Self }
    public static func cs_fromFieldStoredNativeType(_ value: NSString) -> Self { requireValue(value) }
    public func cs_toQueryableNativeType() -> NSString { self }
}

extension NSData: ImportableAttributeType, FieldStorableType {
    public static var cs_rawAttributeType: AttributeType { .binaryDataAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSData) -> Self? { value as? Self }
    public static func cs_fromFieldStoredNativeType(_ value: NSData) -> Self { requireValue(value) }
    public func cs_toQueryableNativeType() -> NSData { self }
}

extension NSDate: ImportableAttributeType, FieldStorableType {
    public static var cs_rawAttributeType: AttributeType { .dateAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSDate) -> Self? { value as? Self }
    public static func cs_fromFieldStoredNativeType(_ value: NSDate) -> Self { requireValue(value) }
    public func cs_toQueryableNativeType() -> NSDate { self }
}

extension NSURL: ImportableAttributeType, FieldStorableType {
    public static var cs_rawAttributeType: AttributeType { .stringAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSString) -> Self? {
        NSURL(string: String(describing: value)) as? Self
    }
    public static func cs_fromFieldStoredNativeType(_ value: NSString) -> Self { requireValue(value) }
    public func cs_toQueryableNativeType() -> NSString { NSString(string: absoluteString) }
}

extension NSUUID: ImportableAttributeType, FieldStorableType {
    public static var _isUUID: Bool { true }
    public static var cs_rawAttributeType: AttributeType { .stringAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSString) -> Self? {
        NSUUID(uuidString: String(describing: value)) as? Self
    }
    public static func cs_fromFieldStoredNativeType(_ value: NSString) -> Self { requireValue(value) }
    public func cs_toQueryableNativeType() -> NSString { NSString(string: uuidString.lowercased()) }
}

extension FieldStorableType
where Self: NSObject, Self: QueryableAttributeType, FieldStoredNativeType == QueryableNativeType {
    /// Converts a stored value back.
    public static func _fromStoredValue(_ value: Value) -> Self? {
        (value.native as? FieldStoredNativeType).flatMap(cs_fromQueryableNativeType)
    }
}

extension QueryableAttributeType {
    /// Returns the value that a native value represents.
    ///
    /// If a native value represents no value of this type, the caller has made a mistake.
    static func requireValue(_ value: QueryableNativeType) -> Self {
        guard let result = cs_fromQueryableNativeType(value) ?? StoredConversion.placeholder(Self.self) else {
            Diagnostics.abort(
                "'\(value)' is not a value of '\(Self.self)'. Check it with 'cs_fromQueryableNativeType'.")
        }
        return result
    }
}
