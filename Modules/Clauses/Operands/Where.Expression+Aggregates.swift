public import CofferSchema
import CofferStorage
public import Foundation

/// Values computed from those that a to-many relationship leads to.
///
/// ```swift
/// From<Person>().where { ($0.$pets ~ \.$age).max() > 10 }
/// From<Person>().orderBy(.descending((\.$pets ~ \.$price).sum()))
/// ```
///
/// Values that are missing take no part. Without any, a sum is 0, and the others have no value.
///
/// The path must lead through one to-many relationship. Through two there are many groups of values: which of them must
/// fulfil a condition is said with `any()`, `all()` or `none()` first.
extension Where.Expression where T == Where<O>.CollectionTarget {
    /// The least of the values.
    public func min() -> Where<O>.Expression<Where<O>.ComputedTarget, V._Compared?> where V: FieldStorableType {
        aggregate("@min")
    }

    /// The greatest of the values.
    public func max() -> Where<O>.Expression<Where<O>.ComputedTarget, V._Compared?> where V: FieldStorableType {
        aggregate("@max")
    }

    /// The sum of the values.
    public func sum() -> Where<O>.Expression<Where<O>.ComputedTarget, V._Compared>
    where V: FieldStorableType, V._Compared: Numeric {
        aggregate("@sum")
    }

    /// The mean of the values; that of whole numbers may have a fraction.
    public func average() -> Where<O>.Expression<Where<O>.ComputedTarget, Double?>
    where V: FieldStorableType, V._Compared: Numeric {
        aggregate("@avg")
    }

    /// The mean of the values.
    public func average() -> Where<O>.Expression<Where<O>.ComputedTarget, Decimal?>
    where V: FieldStorableType, V._Compared == Decimal {
        aggregate("@avg")
    }
}

extension Where.Expression {
    /// The path with an aggregate after its last to-many relationship: `pets.@max.age`.
    private func aggregate<Result>(_ symbol: String) -> Where<O>.Expression<Where<O>.ComputedTarget, Result> {
        var names = path.split(separator: ".").map(String.init)
        names.insert(symbol, at: Swift.min(toMany, names.count))
        return .init(names.joined(separator: "."), quantifier: quantifier)
    }
}
