/// The public initialisers that parse a format string as a condition or as a value.
extension PredicateFormat {
    /// Parses a format string.
    ///
    /// The arguments replace `%@`, `%d`, `%K` and so on, in their order. The letter does not restrict the type of an
    /// argument: `%d` accepts a string as `%@` does. Only `%K` is different, and takes a key path. Surplus arguments
    /// are ignored.
    ///
    /// - Throws: ``PredicateFormatError`` with the column of the mistake and the expected syntax. A format string with
    ///   more than a million bytes, more than 64 levels, or more than 64 keys in a path is also an error.
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
    /// Parses a format string that describes a value, such as `max:(ages) + 1`; see ``PredicateFormat/init(_:_:)``.
    public init(_ format: String, _ args: Any...) throws(PredicateFormatError) {
        var parser = try FormatParser(format, args)
        self = try parser.expression()
    }
}
