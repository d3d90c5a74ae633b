public import Foundation

/// A Foundation class whose values Core Data stores.
///
/// If the unique ids of a class have such a type, the class need not implement
/// ``ImportableUniqueObject/uniqueIDValue``.
public protocol CoreDataNativeType: AnyObject {}

extension NSData: CoreDataNativeType {}
extension NSDate: CoreDataNativeType {}
extension NSNumber: CoreDataNativeType {}
extension NSString: CoreDataNativeType {}
