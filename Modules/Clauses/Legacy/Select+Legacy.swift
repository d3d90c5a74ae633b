public import CofferSchema

// These methods query deprecated properties. A query refuses an archived property.

/// Selects deprecated properties in queries.
extension Select where O: CoreStoreObject, T: ImportableAttributeType {
    /// Selects a property; a null value reads as nil.
    public init<B, V, K: LegacyAttribute<B, V, T>>(_ keyPath: KeyPath<O, K>) {
        self.init(.attribute(keyPath))
    }
}

extension From where O: CoreStoreObject {
    /// Turns the chain into a query that returns the values of a property; a null value reads as nil.
    public func select<B, V, R: ImportableAttributeType, K: LegacyAttribute<B, V, R>>(
        _ keyPath: KeyPath<O, K>
    ) -> QueryChainBuilder<O, R> {
        select(Select(keyPath))
    }
}
