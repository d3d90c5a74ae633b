public import CofferSchema

/// The change of a to-one relationship, for the observation of a deprecated property.
public final class CoreStoreObjectObjectDiff<D: CoreStoreObject>: CoreStoreObjectDiff<D?> {}
