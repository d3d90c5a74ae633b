public import CofferStorageTools

/// Creates conditions from format strings; a wrong format string becomes an invalid condition, which requests refuse.
extension Where {
    /// A condition, written as a format string in the language of `NSPredicate`.
    ///
    /// ```swift
    /// Where<Person>("name BEGINSWITH[cd] %@ AND SUBQUERY(pets, $p, $p.age > %d).@count > 2", "an", 3)
    /// Where<Person>("%K IN %@ OR ANY pets.name LIKE 'R*'", "age", [18, 19])
    /// ```
    ///
    /// The arguments are passed as values, and never become a part of the format string. They may be objects, ids and
    /// collections; `%K` takes a key path. See ``PredicateFormat``.
    ///
    /// If the format string is wrong, or if no store can evaluate the condition, a request with the condition throws
    /// `invalidRequest`.
    public init(_ format: String, _ args: Any...) { self.init(format, argumentArray: args) }

    /// A condition, written as a format string with an array of arguments; see ``init(_:_:)``.
    public init(_ format: String, argumentArray: [Any]?) {
        self.init(QueryPredicate(format: format, argumentArray: argumentArray))
    }

    /// A condition with a parsed format string.
    public init(format: PredicateFormat) { self.init(QueryPredicate(format: format)) }

    /// A condition with a parsed format string, whose `$variables` get values.
    public init(format: PredicateFormat, substitutionVariables: [String: Any]) {
        self.init(QueryPredicate(format: format, substitutionVariables: substitutionVariables))
    }
}

extension QueryPredicate {
    /// A predicate from a format string, as with `NSPredicate(format:_:)`: `QueryPredicate(format: "age > %d", 3)`.
    ///
    /// See ``Where/init(_:_:)``.
    public init(format: String, _ args: Any...) { self.init(format: format, argumentArray: args) }

    /// A predicate that all objects fulfil, or none, as with `NSPredicate(value:)`.
    public init(value: Bool) { self = .constant(value) }

    /// A predicate from a parsed format string, whose `$variables` get values.
    ///
    /// ```swift
    /// let template = try PredicateFormat("age > $limit AND name BEGINSWITH $start")
    /// let grown = QueryPredicate(format: template, substitutionVariables: ["limit": 18, "start": "A"])
    /// ```
    public init(format: PredicateFormat, substitutionVariables: [String: Any]) {
        self.init { try format.withSubstitutionVariables(substitutionVariables) }
    }

    /// A predicate from a format string with an array of arguments; see ``Where/init(_:_:)``.
    public init(format: String, argumentArray: [Any]?) {
        self.init { try PredicateFormat(format, argumentArray: argumentArray) }
    }

    /// A predicate from a parsed format string.
    ///
    /// If requests do not support the condition, the predicate is invalid, and a request with it throws
    /// `invalidRequest` with the reason.
    public init(format: PredicateFormat) { self.init { format } }

    /// - Parameter format: returns a parsed format string. The description of an error is the reason of an invalid
    ///   predicate.
    private init(_ format: () throws -> PredicateFormat) {
        do {
            self = try FormatTranslation().predicate(format())
        } catch {
            self = .invalid("\(error)")
        }
    }
}
