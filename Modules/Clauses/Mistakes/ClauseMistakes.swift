public import CofferSchema

// An order, a selection or a group is wrong if it names a value, `\.age`; it needs a field, `\.$age`. The bodies
// never run, because the compiler refuses each call of an unavailable function.

/// Explains a mistake at compile time: an order, a selection or a group names `\.age` and not `\.$age`.
extension OrderBy.SortKey where O: CoreStoreObject {
    /// A key path to a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in '.ascending(\\.$age)': an order needs a field."
    )
    public static func ascending<V: FieldStorableType>(_ attribute: KeyPath<O, V>) -> Self { ascending("") }

    /// A key path to a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in '.descending(\\.$age)': an order needs a field."
    )
    public static func descending<V: FieldStorableType>(_ attribute: KeyPath<O, V>) -> Self { descending("") }

    /// A closure that reads a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in '.ascending { $0.$age }': an order needs a field."
    )
    public static func ascending<V: FieldStorableType>(_ value: (O) -> V) -> Self { ascending("") }

    /// A closure that reads a value does not name a field.
    @available(
        *, unavailable,
        message: "Write '$' before the name, as in '.descending { $0.$age }': an order needs a field."
    )
    public static func descending<V: FieldStorableType>(_ value: (O) -> V) -> Self { descending("") }
}

extension GroupBy where O: CoreStoreObject {
    /// A key path to a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in 'GroupBy(\\.$age)': a group needs a field."
    )
    public init<V: FieldStorableType>(_ keyPath: KeyPath<O, V>) { self.init([]) }
}

extension QueryChainBuilder where O: CoreStoreObject {
    /// A key path to a value does not name a field.
    @available(
        *, unavailable, message: "Write '$' before the name, as in 'groupBy(\\.$age)': a group needs a field."
    )
    public func groupBy<V: FieldStorableType>(_ keyPath: KeyPath<O, V>) -> QueryChainBuilder<O, R> { self }
}

extension From where O: CoreStoreObject {
    /// A key path to a value does not name a field.
    @available(*, unavailable, message: "Write '$' before the name, as in 'select(\\.$age)': select needs a field.")
    public func select<V: FieldStorableType>(_ keyPath: KeyPath<O, V>) -> QueryChainBuilder<O, V> {
        select(Select([SelectTerm<O>]()))
    }

    /// A key path to a value does not name a field.
    @available(*, unavailable, message: "Write '$' before the name, as in 'sectionBy(\\.$age)': it needs a field.")
    public func sectionBy<V: FieldStorableType>(_ keyPath: KeyPath<O, V>) -> SectionMonitorChainBuilder<O> {
        sectionBy("")
    }
}

extension Where where O: CoreStoreObject {
    /// A key path to a value does not name a field.
    @available(*, unavailable, message: "Write '$' before the name, as in 'Where(\\.$age, isEqualTo: 3)'.")
    public init<V: FieldStorableType>(_ keyPath: KeyPath<O, V>, isEqualTo value: V) { self.init(false) }
}
