// The protocols document the meaning of these witnesses.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Allows an object id as a value in queries and conditions; an attribute cannot store an object id.
extension ObjectID: QueryableAttributeType {
    public static var cs_rawAttributeType: AttributeType { .objectIDAttributeType }
    public static func cs_fromQueryableNativeType(_ value: ObjectID) -> ObjectID? { value }
    public func cs_toQueryableNativeType() -> ObjectID { self }
    public var _queryValue: Value { .object(self) }
}

extension NSNull: QueryableAttributeType {
    public static var cs_rawAttributeType: AttributeType { .undefinedAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNull) -> Self? { value as? Self }
    public func cs_toQueryableNativeType() -> NSNull { self }
    public var _queryValue: Value { .null }
}
