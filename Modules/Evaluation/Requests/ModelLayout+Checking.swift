public import CofferStorage

/// Checks a request before its evaluation: slots, relationships, numbers of arguments, groups, offset and limit.
extension ModelLayout {
    /// Checks a request for rows.
    ///
    /// - Throws: `invalidRequest` if the request names an entity, slot or relationship that does not exist, a slot of
    ///   another kind, or a negative offset or limit.
    public func check(_ request: RowRequest) throws(StorageError) {
        guard entities.indices.contains(request.entity) else {
            throw .invalidRequest("There is no entity with index \(request.entity) in version '\(model.version)'.")
        }
        guard request.offset >= 0, request.limit ?? 0 >= 0 else {
            throw .invalidRequest("The offset and the limit of a request must not be negative.")
        }
        try check(request.predicate, request.entity)
        for sort in request.order { try check(sort.expression, request.entity) }
    }

    /// Checks a request for values.
    ///
    /// - Throws: `invalidRequest` as for a request for rows. The error is also thrown if a grouped request selects, or
    ///   is sorted by, an expression that is not a group, and if a sum or a mean has values that are not numbers.
    public func check(_ request: ValueRequest) throws(StorageError) {
        try check(request.rows)
        let entity = request.rows.entity
        for group in request.groups { try check(group, entity) }
        let isReduced = request.isGrouped || request.isDistinct
        var groups = Set(request.groups)
        for term in request.terms {
            try check(term, entity)
            guard case .expression(let expression) = term else { continue }
            if request.isGrouped, !groups.contains(expression) {
                throw .invalidRequest("'\(name(of: expression, in: entity))' is neither a group nor an aggregate.")
            }
            if !request.isGrouped { groups.insert(expression) }
        }
        for term in request.having?.terms ?? [] {
            try check(term, entity)
            if case .expression(let expression) = term, !groups.contains(expression) {
                throw .invalidRequest("'\(name(of: expression, in: entity))' is neither a group nor an aggregate.")
            }
        }
        if request.having != nil, !request.isGrouped {
            throw .invalidRequest("A condition on groups needs a group or an aggregate.")
        }
        guard isReduced else { return }
        for sort in request.rows.order where !groups.contains(sort.expression) {
            if case .value = sort.expression { continue }
            throw .invalidRequest(
                "The result cannot be ordered by '\(name(of: sort.expression, in: entity))', which it does not contain."
            )
        }
    }

    private func check(_ term: ValueRequest.Term, _ entity: Int) throws(StorageError) {
        switch term {
        case .expression(let expression):
            try check(expression, entity)
        case .aggregate(let aggregate, let expression):
            try check(expression, entity)
            guard aggregate == .sum || aggregate == .average, kind(of: expression)?.isNumeric == false else { return }
            throw .invalidRequest("'\(name(of: expression, in: entity))' is not a number and has no \(aggregate).")
        }
    }

    /// - Parameter outer: the entities of the enclosing objects, the nearest first.
    private func check(_ predicate: RowPredicate, _ entity: Int, _ outer: [Int] = []) throws(StorageError) {
        var (child, enclosing) = (entity, outer)
        switch predicate {
        case .text(_, .matches, let right, let options):
            guard case .value(.text(let pattern)) = right else {
                throw .invalidRequest("The right side of MATCHES must be a constant.")
            }
            _ = try TextPattern(.matches, pattern, options)
        case .some(let path, let relationship, _):
            child = try destination(path, relationship, entity)
            enclosing = [entity] + outer
        case .constant, .isEntity, .compare, .text, .isIn, .and, .or, .not: break
        }
        let (entity, outer) = (child, enclosing)
        try predicate.forEachChild(
            { (child) throws(StorageError) in try check(child, entity, outer) },
            { (child) throws(StorageError) in try check(child, entity, outer) })
    }

    private func check(_ expression: RowExpression, _ entity: Int, _ outer: [Int] = []) throws(StorageError) {
        var (child, enclosing) = (entity, outer)
        switch expression {
        case .column(let slot, let kind):
            let kinds = entities[entity].kinds
            guard kinds.indices.contains(slot), kinds[slot] == kind else {
                throw .invalidRequest("'\(entities[entity].name)' has no \(kind) column in slot \(slot).")
            }
        case .through(let relationship, _):
            child = try self.relationship(relationship, of: entity, isToMany: false).destination
        case .count(let relationship): _ = try self.relationship(relationship, of: entity, isToMany: true)
        case .function(let function, let arguments):
            guard arguments.count == function.argumentCount else {
                throw .invalidRequest("'\(function)' takes \(function.argumentCount) arguments.")
            }
        case .aggregate(_, _, let path, let relationship, _):
            child = try destination(path, relationship, entity)
            enclosing = [entity] + outer
        case .outer:
            guard let nearest = outer.first else {
                throw .invalidRequest("'\(entities[entity].name)' has no enclosing object here.")
            }
            child = nearest
            enclosing.removeFirst()
        case .value, .key, .conditional: break
        }
        let (entity, outer) = (child, enclosing)
        try expression.forEachChild(
            { (child) throws(StorageError) in try check(child, entity, outer) },
            { (child) throws(StorageError) in try check(child, entity, outer) })
    }

    /// The entity at the end of some to-one relationships and a to-many one.
    private func destination(_ path: [Int], _ relationship: Int, _ entity: Int) throws(StorageError) -> Int {
        var entity = entity
        for step in path { entity = try self.relationship(step, of: entity, isToMany: false).destination }
        return try self.relationship(relationship, of: entity, isToMany: true).destination
    }

    private func relationship(
        _ index: Int, of entity: Int, isToMany: Bool
    ) throws(StorageError) -> RelationshipLayout {
        guard entities[entity].relationships.contains(index) else {
            throw .invalidRequest("'\(entities[entity].name)' has no relationship with index \(index).")
        }
        let found = relationships[index]
        guard found.isToMany == isToMany else {
            let wanted = isToMany ? "to-many" : "to-one"
            throw .invalidRequest("'\(entities[entity].name).\(found.name)' is not a \(wanted) relationship.")
        }
        return found
    }
}

extension ModelLayout {
    /// The kind of an expression's values; nil if all values are null.
    package func kind(of expression: RowExpression) -> ColumnKind? {
        switch expression {
        case .value(let value): value.kind
        case .column(_, let kind): kind
        case .key, .count: .integer
        case .through(_, let inner), .outer(let inner): kind(of: inner)
        case .function(let function, let arguments): function.kind(of: arguments.map(kind))
        case .conditional(_, let first, let second): kind(of: first) ?? kind(of: second)
        case .aggregate(let aggregate, let value, _, _, _): aggregate.kind(of: kind(of: value))
        }
    }

    /// The name of an expression in messages: `Person.age`.
    package func name(of expression: RowExpression, in entity: Int) -> String {
        switch expression {
        case .value: return "a constant"
        case .key: return "\(entities[entity].name) key"
        case .column(let slot, _):
            let columns = entities[entity].columns
            return "\(entities[entity].name).\(columns.indices.contains(slot) ? columns[slot].name : "slot \(slot)")"
        case .count(let relationship):
            return "\(entities[entity].name).\(relationshipName(relationship)).@count"
        case .function(let function, _): return "'\(function)' of \(entities[entity].name)"
        case .conditional: return "TERNARY of \(entities[entity].name)"
        case .outer: return "the enclosing object of \(entities[entity].name)"
        case .aggregate(let aggregate, _, _, let relationship, _):
            return "\(entities[entity].name).\(relationshipName(relationship)).@\(aggregate)"
        case .through(let relationship, let inner):
            guard relationships.indices.contains(relationship) else { return "a missing relationship" }
            let target = name(of: inner, in: relationships[relationship].destination)
            return "\(entities[entity].name).\(relationshipName(relationship))"
                + (target.firstIndex(of: ".").map { String(target[$0...]) } ?? "")
        }
    }

    private func relationshipName(_ relationship: Int) -> String {
        relationships.indices.contains(relationship) ? relationships[relationship].name : "a missing relationship"
    }
}
