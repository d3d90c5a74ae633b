import CofferStorage

/// A statement in the making: its text so far, and the values bound in it.
struct SQLWriter {
    /// The table that unqualified slots belong to: an entity and the alias of its table.
    struct Scope {
        let entity: Int
        let alias: String
        /// The scopes that the condition is inside of, the nearest first.
        var outer: [Scope] = []

        /// The scope of related rows, whose conditions may name values of this one's.
        func around(_ inner: Scope) -> Scope { Scope(entity: inner.entity, alias: inner.alias, outer: [self] + outer) }
    }

    let schema: SQLSchema
    let dialect: any SQLDialect
    var text = ""
    var bindings: [Value] = []
    private var aliases = 0

    init(_ schema: SQLSchema, _ dialect: any SQLDialect) {
        self.schema = schema
        self.dialect = dialect
        text.reserveCapacity(512)
    }

    mutating func append(_ part: String) { text += part }

    mutating func bind(_ value: Value) {
        text += dialect.placeholder(bindings.count)
        bindings.append(value)
    }

    mutating func appendName(_ name: String) { text += dialect.quoted(name) }

    mutating func appendColumn(_ name: String, of alias: String) {
        text += alias
        text += "."
        text += dialect.quoted(name)
    }

    /// The scope of an entity under an alias that nothing else in the statement has.
    mutating func scope(_ entity: Int) -> Scope {
        defer { aliases += 1 }
        return Scope(entity: entity, alias: "t\(aliases)")
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
        _ elements: some Sequence<Element>, by separator: String = ", ", _ body: (inout SQLWriter, Element) -> Void
    ) {
        var isFirst = true
        for element in elements {
            if !isFirst { text += separator }
            isFirst = false
            body(&self, element)
        }
    }

    /// Runs the body between parentheses.
    mutating func parenthesized(_ body: (inout SQLWriter) -> Void) {
        text += "("
        body(&self)
        text += ")"
    }
}
