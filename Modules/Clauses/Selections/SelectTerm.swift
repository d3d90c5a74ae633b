public import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// One column of a query, with its name in the results: an attribute, an aggregate, a computed value or the id.
///
/// ```swift
/// let rows = try stack.queryAttributes(
///     From<Person>().select(NSDictionary.self, "city", .average("age", as: "meanAge")).groupBy("city")
/// )
/// print(rows.first?["meanAge"] as? Double ?? 0)
/// ```
///
/// A string literal is an attribute. In a dictionary, the key is the alias. Without an alias, the key of an attribute
/// is its name, and an aggregate has a key such as `average(age)`. A null value has no entry. An unknown name makes
/// the query throw `invalidRequest`.
public enum SelectTerm<O: DynamicObject>: ExpressibleByStringLiteral, Hashable, Sendable {
    /// The value of an attribute.
    case _attribute(KeyPathString)
    /// An aggregate of an attribute.
    case _aggregate(function: String, keyPath: KeyPathString, alias: String, nativeType: AttributeType)
    /// The id of the object.
    case _identity(alias: String, nativeType: AttributeType)
    /// A computed value, or an aggregate of one.
    case _computed(function: String?, expression: QueryExpression, alias: String, nativeType: AttributeType)

    /// The value of an attribute; in a dictionary, under its name or the given name.
    public static func attribute(_ keyPath: KeyPathString, as alias: KeyPathString? = nil) -> SelectTerm<O> {
        guard let alias else { return ._attribute(keyPath) }
        return ._computed(
            function: nil, expression: .keyPath(keyPath), alias: alias, nativeType: .undefinedAttributeType
        )
    }

    /// The mean of an attribute; in a dictionary, under `average(<name>)` or the given name.
    public static func average(_ keyPath: KeyPathString, as alias: KeyPathString? = nil) -> SelectTerm<O> {
        aggregate(.average, .keyPath(keyPath), alias, .decimalAttributeType)
    }

    /// The number of objects with a value; in a dictionary, under `count(<name>)` or the given name.
    public static func count(_ keyPath: KeyPathString, as alias: KeyPathString? = nil) -> SelectTerm<O> {
        aggregate(.count, .keyPath(keyPath), alias, .integer64AttributeType)
    }

    /// The greatest value of an attribute; in a dictionary, under `max(<name>)` or the given name.
    public static func maximum(_ keyPath: KeyPathString, as alias: KeyPathString? = nil) -> SelectTerm<O> {
        aggregate(.maximum, .keyPath(keyPath), alias, .undefinedAttributeType)
    }

    /// The least value of an attribute; in a dictionary, under `min(<name>)` or the given name.
    public static func minimum(_ keyPath: KeyPathString, as alias: KeyPathString? = nil) -> SelectTerm<O> {
        aggregate(.minimum, .keyPath(keyPath), alias, .undefinedAttributeType)
    }

    /// The sum of an attribute; in a dictionary, under `sum(<name>)` or the given name.
    public static func sum(_ keyPath: KeyPathString, as alias: KeyPathString? = nil) -> SelectTerm<O> {
        aggregate(.sum, .keyPath(keyPath), alias, .decimalAttributeType)
    }

    /// The id of the object; in a dictionary, under `objectID` or the given name.
    public static func objectID(as alias: KeyPathString? = nil) -> SelectTerm<O> {
        ._identity(alias: alias ?? "objectID", nativeType: .objectIDAttributeType)
    }

    /// The value of an attribute.
    public init(stringLiteral value: KeyPathString) { self = ._attribute(value) }

    /// The name of the column in a dictionary.
    package var alias: String {
        switch self {
        case ._attribute(let keyPath): keyPath
        case ._aggregate(_, _, let alias, _), ._identity(let alias, _), ._computed(_, _, let alias, _): alias
        }
    }

    /// An aggregate of an expression; if the expression is a path, the term is the aggregate of an attribute.
    static func aggregate(
        _ aggregate: ValueRequest.Aggregate, _ expression: QueryExpression, _ alias: KeyPathString?,
        _ type: AttributeType
    ) -> SelectTerm<O> {
        let function = aggregate.functionName
        let alias = alias ?? "\(aggregate.name)(\(expression))"
        if case .keyPath(let keyPath) = expression {
            return ._aggregate(function: function, keyPath: keyPath, alias: alias, nativeType: type)
        }
        return ._computed(function: function, expression: expression, alias: alias, nativeType: type)
    }
}

extension SelectTerm: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The name of the term in the results.
    public var description: String { alias }

    /// The kind, the key path and the name of the term.
    public var coreStoreDumpString: String {
        switch self {
        case ._attribute(let keyPath): DumpTree.text([("attribute", keyPath)])
        case ._aggregate(let function, let keyPath, let alias, let type):
            DumpTree.text([("function", function), ("keyPath", keyPath), ("alias", alias), ("nativeType", type)])
        case ._identity(let alias, let type):
            DumpTree.text([("function", "objectID"), ("alias", alias), ("nativeType", type)])
        case ._computed(let function, let expression, let alias, let type):
            DumpTree.text([
                ("function", function as Any), ("expression", expression), ("alias", alias), ("nativeType", type),
            ])
        }
    }
}
