public import CofferSchema
import CofferStorage
import CofferStorageTools
public import Foundation

/// Computes aggregates of related objects in conditions and orders: `min()`, `max()`, `sum()`, `average()`.
///
/// ```swift
/// From<Person>().where { ($0.$pets ~ \.$age).max() > 10 }
/// From<Person>().orderBy(.descending((\.$pets ~ \.$price).sum()))
/// ```
///
/// Null values are ignored. If there are no values, a sum is 0, and the other results are null.
///
/// The path must contain exactly one to-many relationship. A path with two to-many relationships has many groups of
/// values: first write `any()`, `all()` or `none()` to define how many groups must fulfil a condition.
extension Where.Expression where T == Where<O>.CollectionTarget {
    /// The least of the values.
    public func min() -> Where<O>.Computed<V._Compared> where V: FieldStorableType {
        aggregate(.minimum)
    }

    /// The greatest of the values.
    public func max() -> Where<O>.Computed<V._Compared> where V: FieldStorableType {
        aggregate(.maximum)
    }

    /// The sum of the values.
    public func sum() -> Where<O>.Expression<Where<O>.ComputedTarget, V._Compared>
    where V: FieldStorableType, V._Compared: Numeric {
        aggregate(.sum)
    }

    /// The mean of the values; the mean of integers may have a fraction.
    public func average() -> Where<O>.Computed<Double>
    where V: FieldStorableType, V._Compared: Numeric {
        aggregate(.average)
    }

    /// The mean of the values.
    public func average() -> Where<O>.Computed<Decimal>
    where V: FieldStorableType, V._Compared == Decimal {
        aggregate(.average)
    }
}

extension Where.Expression {
    /// The path with an aggregate after its last to-many relationship: `pets.@max.age`.
    private func aggregate<Result>(
        _ aggregate: ValueRequest.Aggregate
    ) -> Where<O>.Expression<Where<O>.ComputedTarget, Result> {
        var names = path.split(separator: ".").map(String.init)
        names.insert(aggregate.pathKey, at: Swift.min(toMany, names.count))
        return .init(names.joined(separator: "."), quantifier: quantifier)
    }
}
