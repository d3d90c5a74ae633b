// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Makes ids of objects values of queries and conditions; ids are not stored as attributes.
extension ObjectID: QueryableAttributeType {
    public typealias QueryableNativeType = ObjectID
    public static var cs_rawAttributeType: AttributeType { .objectIDAttributeType }
    public static func cs_fromQueryableNativeType(_ value: ObjectID) -> ObjectID? { value }
    public func cs_toQueryableNativeType() -> ObjectID { self }
    public var _queryValue: Value { .object(self) }
}

extension NSNull: QueryableAttributeType {
    public typealias QueryableNativeType = NSNull
    public static var cs_rawAttributeType: AttributeType { .undefinedAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNull) -> Self? { value as? Self }
    public func cs_toQueryableNativeType() -> NSNull { self }
    public var _queryValue: Value { .null }
}
