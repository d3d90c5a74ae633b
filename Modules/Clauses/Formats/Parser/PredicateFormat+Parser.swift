extension PredicateFormat {
    /// Parses a format string.
    ///
    /// The arguments stand for `%@`, `%d`, `%K` and so on, in their order. All of them travel as objects, whatever the
    /// letter: `%d` takes a text as `%@` does, except that `%K` takes a key path. Arguments beyond the last place are
    /// ignored.
    ///
    /// - Throws: an error that names the column where the format string is wrong, and what should be there; also when
    ///   it has more than a million bytes, 64 levels, or 64 keys in a path.
    public init(_ format: String, _ args: Any...) throws(PredicateFormatError) {
        try self.init(format, argumentArray: args)
    }

    /// Parses a format string; see ``init(_:_:)``.
    public init(_ format: String, argumentArray: [Any]?) throws(PredicateFormatError) {
        var parser = try FormatParser(format, argumentArray ?? [])
        self = try parser.predicate()
    }
}

extension ExpressionFormat {
    /// Parses a format string that is a value, such as `max:(ages) + 1`; see ``PredicateFormat/init(_:_:)``.
    public init(_ format: String, _ args: Any...) throws(PredicateFormatError) {
        var parser = try FormatParser(format, args)
        self = try parser.expression()
    }
}
