public import CofferSchema

/// The change of a stored value, for the observation of a field or a deprecated property.
public final class CoreStoreObjectValueDiff<V: ImportableAttributeType>: CoreStoreObjectDiff<V?> {}
