import CofferStorage

extension SQLWriter {
    /// The kind of an expression's values; nil for null and for what no column can hold.
    func kind(of expression: RowExpression, in scope: Scope) -> ColumnKind? {
        switch expression {
        case .value(let value): value.kind
        case .column(_, let kind): kind
        case .key: .reference
        case .count: .integer
        case .through(let relationship, let inner):
            kind(of: inner, in: Scope(entity: schema.layout.relationships[relationship].destination, alias: ""))
        case .function, .conditional, .aggregate, .outer: schema.layout.kind(of: expression)
        }
    }

    mutating func append(_ expression: RowExpression, in scope: Scope) {
        switch expression {
        case .value(.null): append("NULL")
        case .value(let value): bind(value)
        case .key: appendColumn(SQLTable.key, of: scope.alias)
        case .column(let slot, _): appendColumn(schema.column(slot, of: scope.entity)?.name ?? "", of: scope.alias)
        case .count(let relationship):
            parenthesized { writer in
                writer.append("SELECT COUNT(*) FROM ")
                let alias = writer.appendMembers(of: relationship)
                writer.append(" WHERE \(alias.owner) = ")
                writer.appendColumn(SQLTable.key, of: scope.alias)
            }
        case .through(let relationship, let inner):
            guard case .reference(let slot, _) = schema.layout.relationships[relationship].storage else {
                return append("NULL")
            }
            parenthesized { writer in
                var destination = writer.scope(writer.schema.layout.relationships[relationship].destination)
                destination.outer = scope.outer
                writer.append("SELECT ")
                writer.nested { $0.append(inner, in: destination) }
                writer.append(" FROM ")
                writer.appendTable(destination)
                writer.append(" WHERE ")
                writer.appendColumn(SQLTable.key, of: destination.alias)
                writer.append(" = ")
                writer.append(.column(slot: slot, kind: .reference), in: scope)
            }
            if let kind = kind(of: inner, in: scope) { append(dialect.collation(of: kind)) }
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

    /// The key of the object at the end of some to-one relationships.
    mutating func appendKey(through path: ArraySlice<Int>, in scope: Scope) {
        guard let first = path.first, case .reference(let slot, _) = schema.layout.relationships[first].storage else {
            return append(.key, in: scope)
        }
        guard path.count > 1 else { return append(.column(slot: slot, kind: .reference), in: scope) }
        parenthesized { writer in
            let next = writer.scope(writer.schema.layout.relationships[first].destination)
            writer.append("SELECT ")
            writer.nested { $0.appendKey(through: path.dropFirst(), in: next) }
            writer.append(" FROM ")
            writer.appendTable(next)
            writer.append(" WHERE ")
            writer.appendColumn(SQLTable.key, of: next.alias)
            writer.append(" = ")
            writer.append(.column(slot: slot, kind: .reference), in: scope)
        }
    }

    /// What a to-many relationship leads to, without the objects' own rows: the text of the owner's and member's keys.
    mutating func appendMembers(of relationship: Int) -> (owner: String, member: String) {
        let relationship = schema.layout.relationships[relationship]
        switch relationship.storage {
        case .reference: return ("NULL", "NULL")
        case .inverse(let slot, _):
            let members = scope(relationship.destination)
            appendTable(members)
            let column = schema.column(slot, of: relationship.destination)?.name ?? ""
            return (
                "\(members.alias).\(dialect.quoted(column))", "\(members.alias).\(dialect.quoted(SQLTable.key))"
            )
        case .links(let table, let isFirst):
            let side = linkSide(table, isFirst: isFirst)
            let alias = alias()
            append("\(side.source) \(alias)")
            return ("\(alias).\(dialect.quoted(side.owner))", "\(alias).\(dialect.quoted(side.member))")
        }
    }

    /// A link table seen from one side: the text to select from, and the names of its columns.
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

extension Value {
    /// The kind of column that holds the value as it is; nil for null and for whole ids.
    var kind: ColumnKind? {
        switch self {
        case .null, .object: nil
        case .boolean: .boolean
        case .integer: .integer
        case .double: .double
        case .decimal: .decimal
        case .text: .text
        case .blob: .blob
        case .date: .date
        }
    }
}
