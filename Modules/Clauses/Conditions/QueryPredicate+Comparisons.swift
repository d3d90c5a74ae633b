import CofferSchema
package import CofferStorage
package import CofferStorageTools

/// Creates conditions that compare a property with constants or objects.
extension QueryPredicate {
    /// Compares a property with a constant.
    package static func comparing(
        _ keyPath: KeyPathString, _ relation: QueryComparison.Relation, _ value: Value,
        quantifier: QueryComparison.Quantifier = .one
    ) -> QueryPredicate {
        .comparison(QueryComparison(.keyPath(keyPath), relation, .value(value), quantifier: quantifier))
    }

    /// Tests whether the value of a property is one of some constants.
    package static func membership(_ keyPath: KeyPathString, _ values: [Value]) -> QueryPredicate {
        .comparison(QueryComparison(.keyPath(keyPath), .isIn, .values(values)))
    }
}

extension Value {
    /// The id of an object as a value; null for nil.
    static func related(_ object: (some DynamicObject)?) -> Value {
        object.map { .object($0.cs_id()) } ?? .null
    }

    /// The id of a represented object as a value; null for nil.
    static func represented(_ object: (some AnyObjectRepresentation)?) -> Value {
        object.map { .object($0.objectID()) } ?? .null
    }
}
