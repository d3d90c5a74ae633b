public import CofferSchema
import CofferStorageTools

/// Compares the terms of a query with values, to create conditions on groups: ``Having``.
extension SelectTerm {
    /// Keeps groups whose term equals a value.
    public static func == <V: QueryableAttributeType>(_ term: SelectTerm<O>, _ value: V) -> Having<O> {
        term.comparing(.equal, value)
    }

    /// Keeps groups whose term does not equal a value.
    public static func != <V: QueryableAttributeType>(_ term: SelectTerm<O>, _ value: V) -> Having<O> {
        term.comparing(.notEqual, value)
    }

    /// Keeps groups whose term is less than a value.
    public static func < <V: QueryableAttributeType>(_ term: SelectTerm<O>, _ value: V) -> Having<O> {
        term.comparing(.less, value)
    }

    /// Keeps groups whose term is less than a value or equals it.
    public static func <= <V: QueryableAttributeType>(_ term: SelectTerm<O>, _ value: V) -> Having<O> {
        term.comparing(.lessOrEqual, value)
    }

    /// Keeps groups whose term is greater than a value.
    public static func > <V: QueryableAttributeType>(_ term: SelectTerm<O>, _ value: V) -> Having<O> {
        term.comparing(.greater, value)
    }

    /// Keeps groups whose term is greater than a value or equals it.
    public static func >= <V: QueryableAttributeType>(_ term: SelectTerm<O>, _ value: V) -> Having<O> {
        term.comparing(.greaterOrEqual, value)
    }

    private func comparing(_ relation: QueryComparison.Relation, _ value: some QueryableAttributeType) -> Having<O> {
        Having(.comparing(alias, relation, value._queryValue))
    }
}
