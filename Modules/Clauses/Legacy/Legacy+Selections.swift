public import CofferSchema
import CofferStorage
public import Foundation

// Queries of properties that were declared before `Field` was there.

extension Select where O: CoreStoreObject, T: ImportableAttributeType {
    /// Selects a property.
    public init<B>(_ keyPath: KeyPath<O, ValueContainer<B>.Required<T>>) {
        self.init(.attribute(keyPath))
    }

    /// Selects a property; objects where it has no value give none.
    public init<B>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<T>>) {
        self.init(.attribute(keyPath))
    }
}

extension Select where O: CoreStoreObject, T: ImportableAttributeType & NSCoding & NSCopying {
    /// Selects an archived property, which a query refuses.
    public init<B>(_ keyPath: KeyPath<O, TransformableContainer<B>.Required<T>>) {
        self.init(.attribute(keyPath))
    }

    /// Selects an archived property, which a query refuses.
    public init<B>(_ keyPath: KeyPath<O, TransformableContainer<B>.Optional<T>>) {
        self.init(.attribute(keyPath))
    }
}

extension From where O: CoreStoreObject {
    /// Makes it a query of a property.
    public func select<B, R: ImportableAttributeType>(
        _ keyPath: KeyPath<O, ValueContainer<B>.Required<R>>
    ) -> QueryChainBuilder<O, R> {
        select(Select(keyPath))
    }

    /// Makes it a query of a property; objects where it has no value give none.
    public func select<B, R: ImportableAttributeType>(
        _ keyPath: KeyPath<O, ValueContainer<B>.Optional<R>>
    ) -> QueryChainBuilder<O, R> {
        select(Select(keyPath))
    }

    /// Makes it a query of an archived property, which is refused.
    public func select<B, R: ImportableAttributeType & NSCoding & NSCopying>(
        _ keyPath: KeyPath<O, TransformableContainer<B>.Required<R>>
    ) -> QueryChainBuilder<O, R> {
        select(Select(keyPath))
    }

    /// Makes it a query of an archived property, which is refused.
    public func select<B, R: ImportableAttributeType & NSCoding & NSCopying>(
        _ keyPath: KeyPath<O, TransformableContainer<B>.Optional<R>>
    ) -> QueryChainBuilder<O, R> {
        select(Select(keyPath))
    }
}
