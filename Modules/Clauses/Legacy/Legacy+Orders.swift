public import CofferSchema
import CofferStorage

// Clauses of properties that were declared before `Field` was there.

extension GroupBy where O: CoreStoreObject {
    /// Groups by a property.
    public init<B, T>(_ keyPath: KeyPath<O, ValueContainer<B>.Required<T>>) {
        self.init(KeyPathString(keyPath: keyPath))
    }

    /// Groups by a property.
    public init<B, T>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<T>>) {
        self.init(KeyPathString(keyPath: keyPath))
    }

    /// Groups by an archived property, which a query refuses.
    public init<B, T>(_ keyPath: KeyPath<O, TransformableContainer<B>.Required<T>>) {
        self.init(KeyPathString(keyPath: keyPath))
    }

    /// Groups by an archived property, which a query refuses.
    public init<B, T>(_ keyPath: KeyPath<O, TransformableContainer<B>.Optional<T>>) {
        self.init(KeyPathString(keyPath: keyPath))
    }
}

extension QueryChainBuilder where O: CoreStoreObject {
    /// Groups the results by a property.
    public func groupBy<B, T>(_ keyPath: KeyPath<O, ValueContainer<B>.Required<T>>) -> QueryChainBuilder<O, R> {
        appending(GroupBy(keyPath))
    }

    /// Groups the results by a property.
    public func groupBy<B, T>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<T>>) -> QueryChainBuilder<O, R> {
        appending(GroupBy(keyPath))
    }

    /// Groups the results by an archived property, which a query refuses.
    public func groupBy<B, T>(_ keyPath: KeyPath<O, TransformableContainer<B>.Required<T>>) -> QueryChainBuilder<O, R> {
        appending(GroupBy(keyPath))
    }

    /// Groups the results by an archived property, which a query refuses.
    public func groupBy<B, T>(_ keyPath: KeyPath<O, TransformableContainer<B>.Optional<T>>) -> QueryChainBuilder<O, R> {
        appending(GroupBy(keyPath))
    }
}

extension OrderBy.SortKey where O: CoreStoreObject {
    /// Least first, by a property.
    public static func ascending<B, T>(_ attribute: KeyPath<O, ValueContainer<B>.Required<T>>) -> Self {
        ascending(KeyPathString(keyPath: attribute))
    }

    /// Greatest first, by a property.
    public static func descending<B, T>(_ attribute: KeyPath<O, ValueContainer<B>.Required<T>>) -> Self {
        descending(KeyPathString(keyPath: attribute))
    }

    /// Least first, by a property.
    public static func ascending<B, T>(_ attribute: KeyPath<O, ValueContainer<B>.Optional<T>>) -> Self {
        ascending(KeyPathString(keyPath: attribute))
    }

    /// Greatest first, by a property.
    public static func descending<B, T>(_ attribute: KeyPath<O, ValueContainer<B>.Optional<T>>) -> Self {
        descending(KeyPathString(keyPath: attribute))
    }

    /// Least first, by an archived property, which a fetch refuses.
    public static func ascending<B, T>(_ attribute: KeyPath<O, TransformableContainer<B>.Required<T>>) -> Self {
        ascending(KeyPathString(keyPath: attribute))
    }

    /// Greatest first, by an archived property, which a fetch refuses.
    public static func descending<B, T>(_ attribute: KeyPath<O, TransformableContainer<B>.Required<T>>) -> Self {
        descending(KeyPathString(keyPath: attribute))
    }

    /// Least first, by an archived property, which a fetch refuses.
    public static func ascending<B, T>(_ attribute: KeyPath<O, TransformableContainer<B>.Optional<T>>) -> Self {
        ascending(KeyPathString(keyPath: attribute))
    }

    /// Greatest first, by an archived property, which a fetch refuses.
    public static func descending<B, T>(_ attribute: KeyPath<O, TransformableContainer<B>.Optional<T>>) -> Self {
        descending(KeyPathString(keyPath: attribute))
    }
}
