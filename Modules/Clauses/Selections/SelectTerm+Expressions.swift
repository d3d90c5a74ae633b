public import CofferStorage
import CofferStorageTools

/// Selects paths, computed values and their aggregates as terms of a query.
///
/// The paths and computed values must have one value for each object.
///
/// ```swift
/// From<Dog>().select(NSDictionary.self, .attribute(\.$name), .attribute(\.$master ~ \.$name, as: "master"))
/// From<Person>().select(NSDictionary.self, .attribute((\.$pets ~ \.$age).max(), as: "oldest"))
/// ```
extension SelectTerm {
    /// A value; in a dictionary, the key is its path or the given name.
    public static func attribute<T, V>(
        _ expression: Where<O>.Expression<T, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        if case .keyPath(let keyPath) = expression.content { return attribute(keyPath, as: alias) }
        return ._computed(
            function: nil, expression: expression.content, alias: alias ?? expression.path,
            nativeType: .undefinedAttributeType
        )
    }

    /// The mean of the values; in a dictionary, under `average(<path>)` or the given name.
    public static func average<T, V>(
        _ expression: Where<O>.Expression<T, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        aggregate(.average, expression.content, alias, .decimalAttributeType)
    }

    /// The number of objects with a value; in a dictionary, under `count(<path>)` or the given name.
    public static func count<T, V>(
        _ expression: Where<O>.Expression<T, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        aggregate(.count, expression.content, alias, .integer64AttributeType)
    }

    /// The greatest of the values; in a dictionary, under `max(<path>)` or the given name.
    public static func maximum<T, V>(
        _ expression: Where<O>.Expression<T, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        aggregate(.maximum, expression.content, alias, .undefinedAttributeType)
    }

    /// The least of the values; in a dictionary, under `min(<path>)` or the given name.
    public static func minimum<T, V>(
        _ expression: Where<O>.Expression<T, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        aggregate(.minimum, expression.content, alias, .undefinedAttributeType)
    }

    /// The sum of the values; in a dictionary, under `sum(<path>)` or the given name.
    public static func sum<T, V>(
        _ expression: Where<O>.Expression<T, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        aggregate(.sum, expression.content, alias, .decimalAttributeType)
    }
}
