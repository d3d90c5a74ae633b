public import CofferSchema

/// The change of an unordered to-many relationship, for the observation of a deprecated property.
public final class CoreStoreObjectUnorderedDiff<D: CoreStoreObject>: CoreStoreObjectDiff<Set<D>> {}
