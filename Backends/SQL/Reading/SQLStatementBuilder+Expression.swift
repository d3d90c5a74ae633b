import CofferEvaluation
import CofferStorage

/// Appends columns, key paths and other expressions to a statement, and finds the kinds of their values.
extension SQLStatementBuilder {
    /// Returns the kind of an expression's values; nil for null and for values that no column can contain.
    func kind(of expression: RowExpression) -> ColumnKind? {
        switch expression {
        case .value(.object): nil
        case .key: .reference
        case .through(_, let inner): kind(of: inner)
        default: schema.layout.kind(of: expression)
        }
    }

    mutating func append(_ expression: RowExpression, in scope: Scope) {
        switch expression {
        case .value(.null): append("NULL")
        case .value(let value): bind(value)
        case .key: appendColumn(SQLTable.key, of: scope.alias)
        case .column(let slot, _): append("\(scope.alias).\(columnName(slot, of: scope.entity))")
        case .count(let relationship):
            parenthesized { builder in
                builder.append("SELECT COUNT(*) FROM ")
                let alias = builder.appendMembers(of: relationship)
                builder.append(" WHERE \(alias.owner) = ")
                builder.appendColumn(SQLTable.key, of: scope.alias)
            }
        case .through(let relationship, let inner):
            guard case .reference(let slot, _) = schema.layout.relationships[relationship].storage else {
                return append("NULL")
            }
            if inner.isColumn, let related = joined(relationship, slot, of: scope) {
                return append(inner, in: related)
            }
            appendQuery(relationship, slot, in: scope) { builder, destination in
                var destination = destination
                destination.outer = scope.outer
                builder.append(inner, in: destination)
            }
            if let kind = kind(of: inner) { append(dialect.collation(of: kind)) }
        case .function(let function, let arguments): appendFunction(function, arguments, in: scope)
        case .conditional(let condition, let first, let second):
            appendConditional(condition, first, second, in: scope)
        case .aggregate(let aggregate, let value, let path, let relationship, let condition):
            appendAggregate(aggregate, value, path, relationship, condition, in: scope)
        case .outer(let inner):
            guard let outer = scope.outer.first else { return append("NULL") }
            append(inner, in: outer)
        }
    }

    /// Appends the key of the object at the end of a path of to-one relationships.
    mutating func appendKey(through path: ArraySlice<Int>, in scope: Scope) {
        guard let first = path.first, case .reference(let slot, _) = schema.layout.relationships[first].storage else {
            return append(.key, in: scope)
        }
        guard path.count > 1 else { return append(.column(slot: slot, kind: .reference), in: scope) }
        if let related = joined(first, slot, of: scope) { return appendKey(through: path.dropFirst(), in: related) }
        appendQuery(first, slot, in: scope) { $0.appendKey(through: path.dropFirst(), in: $1) }
    }

    /// Appends a query for a value of the object that a to-one relationship refers to.
    private mutating func appendQuery(
        _ relationship: Int, _ slot: Int, in scope: Scope, _ value: (inout SQLStatementBuilder, Scope) -> Void
    ) {
        parenthesized { builder in
            let destination = builder.scope(builder.schema.layout.relationships[relationship].destination)
            builder.append("SELECT ")
            builder.nested { value(&$0, destination) }
            builder.append(" FROM ")
            builder.appendTable(destination)
            builder.append(" WHERE ")
            builder.appendColumn(SQLTable.key, of: destination.alias)
            builder.append(" = ")
            builder.append(.column(slot: slot, kind: .reference), in: scope)
        }
    }

    /// Joins the table of a to-one relationship in the `FROM` clause of a scope, and returns the scope of the object.
    private mutating func joined(_ relationship: Int, _ slot: Int, of scope: Scope) -> Scope? {
        guard let from = scope.from else { return nil }
        let destination = schema.layout.relationships[relationship].destination
        var alias = joins.alias(relationship, of: scope.alias, in: from)
        if alias == nil {
            let table = dialect.quoted(schema.tables[destination].name)
            let owner = "\(scope.alias).\(columnName(slot, of: scope.entity))"
            let key = dialect.quoted(SQLTable.key)
            alias = joins.join(relationship, of: scope.alias, in: from) {
                " LEFT JOIN \(table) \($0) ON \($0).\(key) = \(owner)"
            }
        }
        return alias.map { Scope(entity: destination, alias: $0, outer: scope.outer, from: from) }
    }

    /// Appends the table that contains the members or the links of a to-many relationship.
    ///
    /// - Returns: the expressions of the owner's key and of the member's key.
    mutating func appendMembers(of relationship: Int) -> (owner: String, member: String) {
        let relationship = schema.layout.relationships[relationship]
        switch relationship.storage {
        case .reference: return ("NULL", "NULL")
        case .inverse(let slot, _):
            let members = scope(relationship.destination)
            appendTable(members)
            let (owner, key) = (columnName(slot, of: relationship.destination), dialect.quoted(SQLTable.key))
            return ("\(members.alias).\(owner)", "\(members.alias).\(key)")
        case .links(let table, let isFirst):
            let side = linkSide(table, isFirst: isFirst)
            let alias = alias()
            append("\(side.source) \(alias)")
            return ("\(alias).\(dialect.quoted(side.owner))", "\(alias).\(dialect.quoted(side.member))")
        }
    }

    /// Returns a link table from one side: its string in a `FROM` clause, and the names of its columns.
    func linkSide(_ table: Int, isFirst: Bool) -> (source: String, owner: String, member: String, position: String?) {
        let link = schema.links[table]
        guard link.isSymmetric else {
            return isFirst
                ? (dialect.quoted(link.name), link.first, link.second, link.firstPosition)
                : (dialect.quoted(link.name), link.second, link.first, link.secondPosition)
        }
        let (name, first, second) = (dialect.quoted(link.name), dialect.quoted(link.first), dialect.quoted(link.second))
        var (there, back) = ("\(first), \(second)", "\(second), \(first)")
        if let firstPosition = link.firstPosition, let secondPosition = link.secondPosition {
            there += ", \(dialect.quoted(firstPosition))"
            back += ", \(dialect.quoted(secondPosition))"
        }
        let source =
            "(SELECT \(there) FROM \(name) UNION ALL SELECT \(back) FROM \(name) WHERE \(first) <> \(second))"
        return (source, link.first, link.second, link.firstPosition)
    }
}

extension RowExpression {
    /// Whether the expression is a column, or a path to a column; its value is null in a row of nulls.
    fileprivate var isColumn: Bool {
        switch self {
        case .column, .key: true
        case .through(_, let inner): inner.isColumn
        default: false
        }
    }
}
