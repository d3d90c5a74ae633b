import CofferStorage

/// Builds a statement: its string, values and aliases; refuses a part for which the dialect returns nil.
struct SQLStatementBuilder {
    /// The table that unqualified slots belong to: an entity and the alias of its table.
    struct Scope {
        let entity: Int
        let alias: String
        /// The enclosing scopes of the condition, the nearest first.
        var outer: [Scope] = []
        /// The first alias of the `FROM` clause to which tables of to-one relationships can be added; nil for none.
        var from: String?

        /// Returns the scope of related rows whose conditions may refer to values of this scope.
        func around(_ inner: Scope) -> Scope {
            Scope(entity: inner.entity, alias: inner.alias, outer: [self] + outer, from: inner.from)
        }
    }

    let schema: SQLSchema
    let dialect: any SQLDialect
    var text = ""
    var bindings: [Value] = []
    /// The first part that the dialect cannot express; if there is such a part, the string is useless.
    private(set) var unsupported: SQLUnsupportedExpression?
    /// Whether the database computes values, and may therefore fail because of the stored numbers.
    var computes = false
    /// The tables that `FROM` clauses join for paths.
    var joins = SQLJoins()
    /// Whether every row must fulfil the current condition, which then is not inside of `or`, `not` or a value.
    private(set) var isRequired = false
    /// Whether an index range contains few related objects, so that the statement begins with these objects.
    let beginsWithRanges: Bool
    private var aliases = 0
    private var depth = 0
    private var places: [Value: Int] = [:]
    /// Whether two equal values have one placeholder.
    private(set) var hasSharedPlaces = false

    init(_ schema: SQLSchema, _ dialect: any SQLDialect, _ plan: SQLRangePlan = .database) {
        self.schema = schema
        self.dialect = dialect
        beginsWithRanges = plan == .index
        text.reserveCapacity(512)
    }

    mutating func append(_ part: String) { text += part }

    mutating func bind(_ value: Value) {
        if dialect.sharesPlaces {
            if let place = places[value] {
                hasSharedPlaces = true
                return text += dialect.placeholder(place)
            }
            places[value] = bindings.count
        }
        text += dialect.placeholder(bindings.count)
        bindings.append(value)
    }

    /// Appends the string of an expression, or notes that the dialect cannot express it.
    mutating func append(_ part: String?, orRefuse what: @autoclosure () -> String) {
        guard let part else { return refuse(what()) }
        text += part
    }

    mutating func refuse(_ what: String) { unsupported = unsupported ?? SQLUnsupportedExpression(what: what) }

    /// Returns the string that the body would append, without appending it.
    mutating func rendered(_ body: (inout SQLStatementBuilder) -> Void) -> String {
        let before = text
        text = ""
        body(&self)
        defer { text = before }
        return text
    }

    /// Runs the body with the aliases that follow the first table, so that equal expressions have equal strings.
    mutating func apart(_ body: (inout SQLStatementBuilder) -> Void) {
        let before = aliases
        aliases = 1
        body(&self)
        aliases = before
    }

    /// Runs the body for a condition, and sets whether every row must fulfil the condition.
    mutating func requiring(_ isRequired: Bool = true, _ body: (inout SQLStatementBuilder) -> Void) {
        let before = self.isRequired
        self.isRequired = isRequired
        body(&self)
        self.isRequired = before
    }

    /// Runs the body inside of a nested query.
    ///
    /// Databases plan some nested queries once for each way in which the outer query could run. The time doubles with
    /// each nested query.
    mutating func nested(_ body: (inout SQLStatementBuilder) -> Void) {
        depth += 1
        if let limit = dialect.depthLimit, depth > limit { refuse("deeply nested queries") } else { body(&self) }
        depth -= 1
    }

    /// Returns the finished statement.
    ///
    /// - Throws: an error if the dialect cannot express a part of the statement.
    func statement(results: [ColumnKind?] = []) throws(SQLUnsupportedExpression) -> SQLStatement {
        if let unsupported { throw unsupported }
        return SQLStatement(text, bindings: bindings, results: results, computes: computes)
    }

    mutating func appendName(_ name: String) { text += dialect.quoted(name) }

    /// Returns the quoted name of the column of a slot.
    func columnName(_ slot: Int, of entity: Int) -> String {
        dialect.quoted(schema.column(slot, of: entity)?.name ?? "")
    }

    mutating func appendColumn(_ name: String, of alias: String) {
        text += alias
        text += "."
        text += dialect.quoted(name)
    }

    /// Returns the scope of an entity, with an alias that is unique in the statement.
    mutating func scope(_ entity: Int) -> Scope {
        defer { aliases += 1 }
        return Scope(entity: entity, alias: "t\(aliases)")
    }

    /// Returns the scope of an entity whose table begins a `FROM` clause: see ``closeFrom(_:at:)``.
    mutating func fromScope(_ entity: Int) -> Scope {
        var scope = scope(entity)
        scope.from = scope.alias
        return scope
    }

    /// Adds the tables for the paths of a scope to its `FROM` clause.
    ///
    /// - Parameter place: the byte offset in the string at which the clause ends.
    mutating func closeFrom(_ scope: Scope, at place: Int) {
        let tables = joins.close(scope.alias)
        guard !tables.isEmpty else { return }
        text.insert(contentsOf: tables, at: text.utf8.index(text.startIndex, offsetBy: place))
    }

    mutating func alias() -> String {
        defer { aliases += 1 }
        return "l\(aliases)"
    }

    mutating func appendTable(_ scope: Scope) {
        appendName(schema.tables[scope.entity].name)
        text += " \(scope.alias)"
    }

    mutating func appendList<Element>(
        _ elements: some Sequence<Element>, by separator: String = ", ",
        _ body: (inout SQLStatementBuilder, Element) -> Void
    ) {
        var isFirst = true
        for element in elements {
            if !isFirst { text += separator }
            isFirst = false
            body(&self, element)
        }
    }

    /// Runs the body between parentheses.
    mutating func parenthesized(_ body: (inout SQLStatementBuilder) -> Void) {
        text += "("
        body(&self)
        text += ")"
    }
}
