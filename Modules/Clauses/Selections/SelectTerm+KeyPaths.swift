public import CofferSchema
public import CofferStorage

/// Selects fields and their aggregates, by key path, as terms of a query.
///
/// The fields may belong to a superclass.
extension SelectTerm where O: CoreStoreObject {
    /// The value of a field; in a dictionary, under its name in the store or under the alias.
    ///
    /// ```swift
    /// let rows = try stack.queryAttributes(From<Person>().select(NSDictionary.self, .attribute(\.$name, as: "who")))
    /// ```
    public static func attribute<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        attribute(KeyPathString(keyPath: keyPath), as: alias)
    }

    /// The mean of a field without null values; in a dictionary, under `average(<name>)` or under the alias.
    ///
    /// ```swift
    /// let mean = try stack.queryValue(From<Person>().select(Double.self, .average(\.$age)))
    /// ```
    ///
    /// Without values, or for a field that is not a number, the result is nil.
    public static func average<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        average(KeyPathString(keyPath: keyPath), as: alias)
    }

    /// The number of objects whose field is not null; in a dictionary, under `count(<name>)` or under the alias.
    ///
    /// ```swift
    /// let count = try stack.queryValue(From<Person>().select(Int.self, .count(\.$nickname)))
    /// ```
    ///
    /// Without objects, the result is 0. To count all objects, use `fetchCount`.
    public static func count<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        count(KeyPathString(keyPath: keyPath), as: alias)
    }

    /// The greatest value of a field; in a dictionary, under `max(<name>)` or under the alias.
    ///
    /// ```swift
    /// let oldest = try stack.queryValue(From<Person>().select(Int.self, .maximum(\.$age)))
    /// ```
    ///
    /// Without values, the result is nil.
    public static func maximum<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        maximum(KeyPathString(keyPath: keyPath), as: alias)
    }

    /// The least value of a field; in a dictionary, under `min(<name>)` or under the alias.
    ///
    /// ```swift
    /// let youngest = try stack.queryValue(From<Person>().select(Int.self, .minimum(\.$age)))
    /// ```
    ///
    /// Without values, the result is nil.
    public static func minimum<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        minimum(KeyPathString(keyPath: keyPath), as: alias)
    }

    /// The sum of a field; in a dictionary, under `sum(<name>)` or under the alias.
    ///
    /// ```swift
    /// let total = try stack.queryValue(From<Dog>().select(Double.self, .sum(\.$price)))
    /// ```
    ///
    /// Null values are ignored. Without values, the sum is 0. For a field that is not a number, the result is nil. If a
    /// sum of integers is beyond 64 bits, the query throws an error.
    public static func sum<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        sum(KeyPathString(keyPath: keyPath), as: alias)
    }
}
