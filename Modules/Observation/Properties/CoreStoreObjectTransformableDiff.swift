public import Foundation

/// The change of an archived object, for the observation of a deprecated property.
public final class CoreStoreObjectTransformableDiff<V: NSCoding & NSCopying>: CoreStoreObjectDiff<V?> {}
