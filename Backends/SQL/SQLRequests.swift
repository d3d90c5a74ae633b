public import CofferStorage

/// Turns requests into statements that read.
public struct SQLRequests: Sendable {
    public let schema: SQLSchema
    public let dialect: any SQLDialect

    public init(_ schema: SQLSchema, _ dialect: any SQLDialect) {
        self.schema = schema
        self.dialect = dialect
    }

    /// The shape of the rows that ``rows(_:)`` returns.
    public func shape(_ request: RowRequest) -> SQLRowShape {
        request.includesSubentities ? schema.shapes[request.entity] : schema.ownShapes[request.entity]
    }

    /// The rows of a request, as ``shape(_:)`` says.
    public func rows(_ request: RowRequest) -> SQLStatement {
        statement(request) { $0.appendColumns(shape(request), of: $1.alias) }
    }

    /// The keys of the rows of a request.
    public func keys(_ request: RowRequest) -> SQLStatement {
        var statement = statement(request) { $0.appendColumn(SQLTable.key, of: $1.alias) }
        statement.results = [.reference]
        return statement
    }

    /// One number: how many rows a request asks for.
    public func count(_ request: RowRequest) -> SQLStatement {
        var writer = SQLWriter(schema, dialect)
        let isLimited = request.offset > 0 || request.limit != nil
        let scope = writer.scope(request.entity)
        writer.append(isLimited ? "SELECT COUNT(*) FROM (SELECT 1 FROM " : "SELECT COUNT(*) FROM ")
        writer.appendTable(scope)
        writer.appendWhere(request, in: scope)
        if isLimited {
            writer.appendLimit(request)
            writer.append(") t")
        }
        return SQLStatement(writer.text, bindings: writer.bindings, results: [.integer])
    }

    /// The row with a key, to be bound.
    public func row(root: Int) -> String {
        var writer = SQLWriter(schema, dialect)
        let scope = writer.scope(root)
        writer.append("SELECT ")
        writer.appendColumns(schema.shapes[root], of: scope.alias)
        writer.append(" FROM ")
        writer.appendTable(scope)
        writer.append(" WHERE ")
        writer.appendColumn(SQLTable.key, of: scope.alias)
        writer.append(" = \(dialect.placeholder(0))")
        return writer.text
    }

    /// The rows with as many keys as said, to be bound.
    public func rows(root: Int, count: Int) -> String {
        var writer = SQLWriter(schema, dialect)
        let scope = writer.scope(root)
        writer.append("SELECT ")
        writer.appendColumns(schema.shapes[root], of: scope.alias)
        writer.append(" FROM ")
        writer.appendTable(scope)
        writer.append(" WHERE ")
        writer.appendColumn(SQLTable.key, of: scope.alias)
        writer.append(" IN (")
        writer.appendList(0..<count) { $0.append($0.dialect.placeholder($1)) }
        writer.append(")")
        return writer.text
    }

    /// The related rows of as many owners as said, to be bound: the destination's shape, then the owner's key.
    public func related(_ index: Int, count: Int) -> String {
        let relationship = schema.layout.relationships[index]
        var writer = SQLWriter(schema, dialect)
        let scope = writer.scope(relationship.destination)
        let owner: String
        var position: String?
        var source = ""
        switch relationship.storage {
        case .reference(let slot, _):
            let owners = writer.scope(relationship.owner)
            let column = schema.column(slot, of: relationship.owner)?.name ?? ""
            owner = "\(owners.alias).\(dialect.quoted(SQLTable.key))"
            source = "\(dialect.quoted(schema.tables[relationship.owner].name)) \(owners.alias) JOIN "
            source += "\(dialect.quoted(schema.tables[relationship.destination].name)) \(scope.alias) ON "
            source += "\(scope.alias).\(dialect.quoted(SQLTable.key)) = \(owners.alias).\(dialect.quoted(column))"
        case .inverse(let slot, let positionSlot):
            owner = "\(scope.alias).\(dialect.quoted(schema.column(slot, of: relationship.destination)?.name ?? ""))"
            position = positionSlot.flatMap { schema.column($0, of: relationship.destination) }
                .map { "\(scope.alias).\(dialect.quoted($0.name))" }
            source = "\(dialect.quoted(schema.tables[relationship.destination].name)) \(scope.alias)"
        case .links(let table, let isFirst):
            let side = writer.linkSide(table, isFirst: isFirst)
            let alias = writer.alias()
            owner = "\(alias).\(dialect.quoted(side.owner))"
            position = side.position.map { "\(alias).\(dialect.quoted($0))" }
            source = "\(side.source) \(alias) JOIN "
            source += "\(dialect.quoted(schema.tables[relationship.destination].name)) \(scope.alias) ON "
            source += "\(scope.alias).\(dialect.quoted(SQLTable.key)) = \(alias).\(dialect.quoted(side.member))"
        }
        writer.append("SELECT ")
        writer.appendColumns(schema.shapes[relationship.destination], of: scope.alias)
        writer.append(", \(owner) FROM \(source) WHERE \(owner) IN (")
        writer.appendList(0..<count) { $0.append($0.dialect.placeholder($1)) }
        writer.append(") ORDER BY \(owner)")
        if let position { writer.append(", \(position)\(dialect.nullOrder(ascending: true))") }
        writer.append(", ")
        writer.appendColumn(SQLTable.key, of: scope.alias)
        return writer.text
    }

    private func statement(_ request: RowRequest, _ select: (inout SQLWriter, SQLWriter.Scope) -> Void) -> SQLStatement {
        var writer = SQLWriter(schema, dialect)
        let scope = writer.scope(request.entity)
        writer.append("SELECT ")
        select(&writer, scope)
        writer.append(" FROM ")
        writer.appendTable(scope)
        writer.appendWhere(request, in: scope)
        writer.append(" ORDER BY ")
        // Behind the key nothing is left to decide.
        for sort in request.order.prefix(while: { $0.expression != .key }) {
            writer.append(sort.expression, in: scope)
            writer.append(sort.ascending ? "" : " DESC")
            writer.append(dialect.nullOrder(ascending: sort.ascending))
            writer.append(", ")
        }
        writer.appendColumn(SQLTable.key, of: scope.alias)
        if let byKey = request.order.first(where: { $0.expression == .key }), !byKey.ascending { writer.append(" DESC") }
        writer.appendLimit(request)
        return SQLStatement(writer.text, bindings: writer.bindings)
    }
}

extension SQLWriter {
    mutating func appendColumns(_ shape: SQLRowShape, of alias: String) {
        appendList(shape.columnNames) { $0.appendColumn($1, of: alias) }
    }

    mutating func appendWhere(_ request: RowRequest, in scope: Scope) {
        let layout = schema.layout
        let root = layout.entities[scope.entity].root
        let wanted = request.includesSubentities ? layout.entities[scope.entity].descendants : [scope.entity]
        let all = layout.entities[root].descendants.filter { !layout.entities[$0].isAbstract }
        var parts: [RowPredicate] = all.allSatisfy(wanted.contains) ? [] : [.isEntity(wanted)]
        switch request.predicate {
        case .constant(true): break
        case .and(let more): parts += more
        default: parts.append(request.predicate)
        }
        guard !parts.isEmpty else { return }
        append(" WHERE ")
        append(.and(parts), in: scope)
    }

    mutating func appendLimit(_ request: RowRequest) {
        guard request.offset > 0 || request.limit != nil else { return }
        var bound: [Value] = []
        let start = bindings.count
        let dialect = dialect
        append(
            dialect.limitClause(offset: max(0, request.offset), limit: request.limit.map { max(0, $0) }) { value in
                bound.append(value)
                return dialect.placeholder(start + bound.count - 1)
            }
        )
        bindings += bound
    }
}
