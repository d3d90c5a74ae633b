public import CofferSchema
public import CofferStorage

/// Terms by fields, which may be those of a superclass.
extension SelectTerm where O: CoreStoreObject {
    /// The value of a field; in a dictionary, under its name in the store or one of your own.
    public static func attribute<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        attribute(KeyPathString(keyPath: keyPath), as: alias)
    }

    /// The mean of a field; in a dictionary, under `average(<name>)` or a name of your own.
    public static func average<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        average(KeyPathString(keyPath: keyPath), as: alias)
    }

    /// How many objects have a value; in a dictionary, under `count(<name>)` or a name of your own.
    public static func count<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        count(KeyPathString(keyPath: keyPath), as: alias)
    }

    /// The greatest value of a field; in a dictionary, under `max(<name>)` or a name of your own.
    public static func maximum<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        maximum(KeyPathString(keyPath: keyPath), as: alias)
    }

    /// The least value of a field; in a dictionary, under `min(<name>)` or a name of your own.
    public static func minimum<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        minimum(KeyPathString(keyPath: keyPath), as: alias)
    }

    /// The sum of a field; in a dictionary, under `sum(<name>)` or a name of your own.
    public static func sum<K: AttributeKeyPathStringConvertible>(
        _ keyPath: KeyPath<O, K>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        sum(KeyPathString(keyPath: keyPath), as: alias)
    }
}
