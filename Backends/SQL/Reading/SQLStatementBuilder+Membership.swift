import CofferEvaluation
import CofferStorage

/// Appends conditions on related objects as conditions on keys, if an index finds the related objects.
extension SQLStatementBuilder {
    /// Appends a condition on the object of a to-one relationship as a condition on its key.
    ///
    /// The condition is appended if an index finds the object.
    ///
    /// - Returns: whether the condition was appended.
    mutating func appendMembership(_ predicate: RowPredicate, in scope: Scope) -> Bool {
        guard let (relationship, condition) = predicate.ofRelatedObject,
            case .reference(let slot, _) = schema.layout.relationships[relationship].storage
        else { return false }
        let destination = schema.layout.relationships[relationship].destination
        guard beginsWithRelated(condition, destination) else { return false }
        append(.column(slot: slot, kind: .reference), in: scope)
        appendIsAmong { builder in
            let rows = builder.fromScope(destination)
            builder.appendColumn(SQLTable.key, of: rows.alias)
            builder.append(" FROM ")
            builder.appendTable(rows)
            builder.appendMatching(condition, rows)
        }
        return true
    }

    /// Appends a condition on related objects as a condition on the keys of their owners.
    ///
    /// The condition is appended if an index finds the related objects.
    ///
    /// - Returns: whether the condition was appended.
    mutating func appendOwners(
        _ path: [Int], _ index: Int, _ condition: RowPredicate, in scope: Scope
    ) -> Bool {
        let relationship = schema.layout.relationships[index]
        var key = RowExpression.key
        if let first = path.first {
            guard path.count == 1, case .reference(let slot, _) = schema.layout.relationships[first].storage else {
                return false
            }
            key = .column(slot: slot, kind: .reference)
        }
        if case .links(let table, _) = relationship.storage, schema.links[table].isSymmetric { return false }
        guard !condition.refersOutside, beginsWithRelated(condition, relationship.destination) else { return false }
        append(key, in: scope)
        appendIsAmong { builder in
            let rows = builder.fromScope(relationship.destination)
            switch relationship.storage {
            case .reference: builder.append("NULL FROM ")
            case .inverse(let slot, _):
                builder.append("\(rows.alias).\(builder.columnName(slot, of: relationship.destination)) FROM ")
            case .links(let table, let isFirst):
                let side = builder.linkSide(table, isFirst: isFirst)
                let alias = builder.alias()
                builder.append("\(alias).\(builder.dialect.quoted(side.owner)) FROM \(side.source) \(alias) JOIN ")
                builder.appendTable(rows)
                builder.append(" ON \(rows.alias).\(builder.dialect.quoted(SQLTable.key)) = ")
                builder.append("\(alias).\(builder.dialect.quoted(side.member))")
                return builder.appendMatching(condition, rows)
            }
            builder.appendTable(rows)
            builder.appendMatching(condition, rows)
        }
        return true
    }

    /// Whether the statement finds the related objects of a condition first.
    private func beginsWithRelated(_ condition: RowPredicate, _ destination: Int) -> Bool {
        if dialect.ordersJoins && isRequired { return false }
        switch SQLIndexUse(schema: schema).reach(of: condition, destination) {
        case .few: return true
        case .range: return beginsWithRanges
        case .all: return false
        }
    }

    private mutating func appendIsAmong(_ body: (inout SQLStatementBuilder) -> Void) {
        let among = dialect.isAmong
        append(" \(among.before)SELECT ")
        nested(body)
        append(among.after)
    }

    private mutating func appendMatching(_ condition: RowPredicate, _ rows: Scope) {
        let place = text.utf8.count
        append(" WHERE ")
        requiring { $0.append(condition, in: rows) }
        closeFrom(rows, at: place)
    }
}
