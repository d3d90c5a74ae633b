public import CofferSchema
public import CofferStorage

// A term of a selection is wrong if it names a value, `\.age`; it needs a field, `\.$age`.

/// Explains a mistake at compile time: a selected term names `\.age` and not the field `\.$age`.
extension SelectTerm where O: CoreStoreObject {
    /// A key path to a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in '.attribute(\\.$age)': a term needs a field."
    )
    public static func attribute<V: FieldStorableType>(
        _ keyPath: KeyPath<O, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        attribute("")
    }

    /// A key path to a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in '.average(\\.$age)': a term needs a field."
    )
    public static func average<V: FieldStorableType>(
        _ keyPath: KeyPath<O, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        average("")
    }

    /// A key path to a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in '.count(\\.$age)': a term needs a field."
    )
    public static func count<V: FieldStorableType>(
        _ keyPath: KeyPath<O, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        count("")
    }

    /// A key path to a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in '.maximum(\\.$age)': a term needs a field."
    )
    public static func maximum<V: FieldStorableType>(
        _ keyPath: KeyPath<O, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        maximum("")
    }

    /// A key path to a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in '.minimum(\\.$age)': a term needs a field."
    )
    public static func minimum<V: FieldStorableType>(
        _ keyPath: KeyPath<O, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        minimum("")
    }

    /// A key path to a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in '.sum(\\.$age)': a term needs a field."
    )
    public static func sum<V: FieldStorableType>(
        _ keyPath: KeyPath<O, V>, as alias: KeyPathString? = nil
    ) -> SelectTerm<O> {
        sum("")
    }
}
