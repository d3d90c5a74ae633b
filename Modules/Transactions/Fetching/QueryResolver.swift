import CofferClauses
import CofferEvaluation
import CofferStorage
import CofferStorageTools

/// Converts a query to a request for values; refuses ungrouped terms, and aggregates of relationships.
struct QueryResolver {
    let state: ContextState

    func valueRequest(_ query: ObjectQuery, _ store: OpenStore) throws(StorageError) -> ValueRequest {
        let entity = query.fetch.entity
        let resolver = store.resolver
        var terms: [ValueRequest.Term] = []
        for term in query.terms { terms.append(try resolve(term, entity, resolver)) }
        var groups: [RowExpression] = []
        for key in query.groups { groups.append(try resolver.expression(key, entity: entity)) }
        if !groups.isEmpty {
            for case (.expression(let expression), let alias) in zip(terms, query.aliases)
            where !groups.contains(expression) {
                throw .invalidRequest(
                    "'\(alias)' is selected, but it is neither an aggregate nor in 'groupBy'. Add it to 'groupBy'."
                )
            }
        }
        var request = ValueRequest(
            rows: try query.fetch.request(store), terms: terms, groups: groups, isDistinct: query.isDistinct
        )
        if let having = query.having {
            try having.requireDepth()
            request.having = try resolve(having, query, terms, entity, resolver)
        }
        return request
    }

    private func resolve(
        _ term: ObjectQuery.Term, _ entity: Int, _ resolver: RequestResolver
    ) throws(StorageError) -> ValueRequest.Term {
        switch term {
        case .identity: .expression(.key)
        case .value(let expression): .expression(try resolver.expression(expression, entity: entity))
        case .aggregate(let function, let expression):
            aggregate(function, try resolver.expression(expression, entity: entity))
        }
    }

    private func resolve(
        _ predicate: QueryPredicate, _ query: ObjectQuery, _ terms: [ValueRequest.Term], _ entity: Int,
        _ resolver: RequestResolver
    ) throws(StorageError) -> ValueRequest.Having {
        switch predicate {
        case .constant(let flag): return flag ? .and([]) : .or([])
        case .not(let part): return .not(try resolve(part, query, terms, entity, resolver))
        case .invalid(let reason): throw .invalidRequest(reason)
        case .and, .or:
            var resolved: [ValueRequest.Having] = []
            for part in predicate.flatParts { resolved.append(try resolve(part, query, terms, entity, resolver)) }
            if case .and = predicate { return .and(resolved) }
            return .or(resolved)
        case .comparison(let comparison):
            guard case .keyPath(let name) = comparison.left, case .value(let value) = comparison.right,
                comparison.options.isEmpty,
                let relation = RowPredicate.Comparison(rawValue: comparison.relation.rawValue)
            else {
                throw .invalidRequest("'\(comparison)' in 'havingPredicate' must compare a selected name with a value.")
            }
            let index = query.aliases.firstIndex(of: name)
            let term = if let index { terms[index] } else { try unselected(name, entity, resolver) }
            let constant = try resolver.canonical(value, comparedWith: property(name, query), entity: entity)
            try resolver.requireComparable(term, constant, entity: entity)
            return .compare(term, relation, constant)
        }
    }

    /// Returns an aggregate; the sum and the mean of values that are not numbers are null, as in Core Data.
    private func aggregate(_ function: ValueRequest.Aggregate, _ expression: RowExpression) -> ValueRequest.Term {
        guard function == .sum || function == .average else { return .aggregate(function, expression) }
        switch state.layout.kind(of: expression) {
        case .text, .date, .blob, .reference: return .aggregate(.maximum, .value(.null))
        case .integer, .double, .decimal, .boolean, nil: return .aggregate(function, expression)
        }
    }

    /// Returns the key path that a condition on groups compares; nil for a computed value.
    private func property(_ name: String, _ query: ObjectQuery) -> KeyPathString? {
        guard let index = query.aliases.firstIndex(of: name) else { return name.hasSuffix(")") ? nil : name }
        if case .value(.keyPath(let path)) = query.terms[index] { return path }
        return nil
    }

    /// Resolves an unselected name of a condition on groups: a property, or an aggregate such as `count(name)`.
    private func unselected(
        _ name: String, _ entity: Int, _ resolver: RequestResolver
    ) throws(StorageError) -> ValueRequest.Term {
        if name.hasSuffix(")"), let start = name.firstIndex(of: "("),
            let aggregate = ValueRequest.Aggregate(name: name[..<start])
        {
            let keyPath = String(name[name.index(after: start)...].dropLast())
            try requireValue(aggregate, of: keyPath, entity)
            return .aggregate(aggregate, try resolver.expression(keyPath, entity: entity))
        }
        return .expression(try resolver.expression(name, entity: entity))
    }

    /// Returns the key spaces of the terms that are objects, by the index of the term.
    func objectTerms(_ query: ObjectQuery, _ store: OpenStore) -> [Int: UInt32] {
        var spaces: [Int: UInt32] = [:]
        for (index, term) in query.terms.enumerated() {
            switch term {
            case .identity: spaces[index] = store.keySpaces[query.fetch.entity]
            case .value(.keyPath(let path)):
                guard let destination = destination(of: path, query.fetch.entity) else { continue }
                spaces[index] = store.keySpaces[destination]
            case .value, .aggregate: continue
            }
        }
        return spaces
    }

    /// Returns the entity at the end of a path of relationships; nil if the path ends with an attribute.
    func destination(of path: KeyPathString, _ entity: Int) -> Int? {
        var entity = entity
        for name in path.split(separator: ".") {
            guard let index = state.layout.entities[entity].relationship(named: String(name)) else { return nil }
            entity = state.layout.relationships[index].destination
        }
        return entity
    }

    /// Refuses an aggregate of a relationship, except the number of its objects.
    func requireValue(
        _ aggregate: ValueRequest.Aggregate, of path: KeyPathString, _ entity: Int
    ) throws(StorageError) {
        guard aggregate != .count, destination(of: path, entity) != nil else { return }
        throw .invalidRequest(
            "'\(state.layout.entities[entity].name).\(path)' is a relationship and has no \(aggregate). Name an "
                + "attribute of the related objects.")
    }
}
