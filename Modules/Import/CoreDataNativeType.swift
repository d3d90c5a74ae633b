public import Foundation

/// A Foundation class whose values Core Data stores.
///
/// Classes whose unique ids are of such a type need not implement ``ImportableUniqueObject/uniqueIDValue``.
public protocol CoreDataNativeType: AnyObject {}

extension NSData: CoreDataNativeType {}
extension NSDate: CoreDataNativeType {}
extension NSNumber: CoreDataNativeType {}
extension NSString: CoreDataNativeType {}
