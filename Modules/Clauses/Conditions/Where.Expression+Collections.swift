public import CofferSchema
import CofferStorage

extension KeyPath where Root: CoreStoreObject, Value: ToManyRelationshipKeyPathStringConvertible {
    /// How many objects the relationship leads to: `(\Person.$pets).count() > 1`.
    public func count() -> Where<Root>.Expression<Where<Root>.CollectionTarget, Int> {
        .init("\(KeyPathString(keyPath: self)).@count")
    }
}

extension Where.Expression where O: CoreStoreObject, T == Where<O>.CollectionTarget {
    /// How many objects the path leads to: `(\Dog.$master ~ \.$pets).count() > 1`.
    public func count() -> Where<O>.Expression<T, Int> {
        .init("\(path).@count", quantifier: quantifier)
    }

    /// At least one of the values must fulfil the condition.
    ///
    /// False where there are no values.
    public func any() -> Where<O>.Expression<T, V> {
        .init(path, quantifier: .any)
    }

    /// Each of the values must fulfil the condition.
    ///
    /// True where there are no values.
    public func all() -> Where<O>.Expression<T, V> {
        .init(path, quantifier: .all)
    }

    /// No value may fulfil the condition.
    ///
    /// True where there are no values.
    public func none() -> Where<O>.Expression<T, V> {
        .init(path, quantifier: .none)
    }
}
