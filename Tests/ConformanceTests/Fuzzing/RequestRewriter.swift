import CofferStorage

@testable import CofferConformance

/// Translates a request from the numbers of one model to another, whose entities and properties have the same names.
///
/// The result is nil if the other model lacks an entity or property that the request names.
struct RequestRewriter {
    let old: ModelLayout
    let new: ModelLayout

    func request(_ request: DifferentialExample.Request) -> DifferentialExample.Request? {
        switch request {
        case .rows(let request): rows(request).map { .rows($0) }
        case .values(let request): values(request).map { .values($0) }
        }
    }

    /// Returns the new number of a link table.
    func table(_ table: Int) -> Int? {
        guard let first = relationship(old.linkTables[table].first),
            case .links(let found, true) = new.relationships[first].storage
        else { return nil }
        return found
    }

    private func rows(_ request: RowRequest) -> RowRequest? {
        let scope = [request.entity]
        guard let entity = entity(request.entity), let predicate = predicate(request.predicate, scope),
            let order = all(
                request.order,
                { sort in
                    expression(sort.expression, scope).map { RowSort($0, ascending: sort.ascending) }
                })
        else { return nil }
        var result = request
        (result.entity, result.predicate, result.order) = (entity, predicate, order)
        return result
    }

    private func values(_ request: ValueRequest) -> ValueRequest? {
        let scope = [request.rows.entity]
        guard let rows = rows(request.rows), let terms = all(request.terms, { term($0, scope) }),
            let groups = all(request.groups, { expression($0, scope) })
        else { return nil }
        var result = request
        (result.rows, result.terms, result.groups) = (rows, terms, groups)
        if let having = request.having {
            guard let having = self.having(having, scope) else { return nil }
            result.having = having
        }
        return result
    }

    private func term(_ term: ValueRequest.Term, _ scope: [Int]) -> ValueRequest.Term? {
        switch term {
        case .expression(let value): expression(value, scope).map { .expression($0) }
        case .aggregate(let aggregate, let value): expression(value, scope).map { .aggregate(aggregate, $0) }
        }
    }

    private func having(_ having: ValueRequest.Having, _ scope: [Int]) -> ValueRequest.Having? {
        switch having {
        case .compare(let term, let comparison, let value):
            self.term(term, scope).map { .compare($0, comparison, value) }
        case .and(let parts): all(parts) { self.having($0, scope) }.map { .and($0) }
        case .or(let parts): all(parts) { self.having($0, scope) }.map { .or($0) }
        case .not(let part): self.having(part, scope).map { .not($0) }
        }
    }

    /// - Parameter scope: the old number of the condition's entity, followed by the entities of the enclosing objects.
    private func predicate(_ predicate: RowPredicate, _ scope: [Int]) -> RowPredicate? {
        switch predicate {
        case .constant: return predicate
        case .compare(let left, let comparison, let right):
            guard let left = expression(left, scope), let right = expression(right, scope) else { return nil }
            return .compare(left, comparison, right)
        case .isIn(let value, let list): return expression(value, scope).map { .isIn($0, list) }
        case .text(let left, let relation, let right, let options):
            guard let left = expression(left, scope), let right = expression(right, scope) else { return nil }
            return .text(left, relation, right, options)
        case .isEntity(let entities): return all(entities, entity).map { .isEntity($0) }
        case .some(let path, let index, let condition):
            guard let from = all(path, relationship), let relationship = relationship(index),
                let condition = self.predicate(condition, [old.relationships[index].destination] + scope)
            else { return nil }
            return .some(from: from, relationship: relationship, condition)
        case .and(let parts): return all(parts) { self.predicate($0, scope) }.map { .and($0) }
        case .or(let parts): return all(parts) { self.predicate($0, scope) }.map { .or($0) }
        case .not(let part): return self.predicate(part, scope).map { .not($0) }
        }
    }

    private func expression(_ expression: RowExpression, _ scope: [Int]) -> RowExpression? {
        switch expression {
        case .value, .key: return expression
        case .column(let slot, let kind):
            let name = old.entities[scope[0]].columns[slot].name
            guard let entity = entity(scope[0]), let found = new.entities[entity].slot(named: name) else { return nil }
            return .column(slot: found, kind: kind)
        case .through(let index, let inner):
            let destination = old.relationships[index].destination
            guard let relationship = relationship(index),
                let inner = self.expression(inner, [destination] + scope.dropFirst())
            else { return nil }
            return .through(relationship: relationship, inner)
        case .count(let index): return relationship(index).map { .count(relationship: $0) }
        case .function(let function, let arguments):
            return all(arguments) { self.expression($0, scope) }.map { .function(function, $0) }
        case .conditional(let condition, let first, let second):
            guard let condition = predicate(condition, scope), let first = self.expression(first, scope),
                let second = self.expression(second, scope)
            else { return nil }
            return .conditional(condition, first, second)
        case .aggregate(let aggregate, let value, let path, let index, let condition):
            let inside = [old.relationships[index].destination] + scope
            guard let from = all(path, relationship), let relationship = relationship(index),
                let value = self.expression(value, inside), let condition = predicate(condition, inside)
            else { return nil }
            return .aggregate(aggregate, value, from: from, relationship: relationship, where: condition)
        case .outer(let inner): return self.expression(inner, Array(scope.dropFirst())).map { .outer($0) }
        }
    }

    private func entity(_ entity: Int) -> Int? { new.index(of: old.entities[entity].name) }

    private func relationship(_ relationship: Int) -> Int? {
        let found = old.relationships[relationship]
        return entity(found.owner).flatMap { new.entities[$0].relationship(named: found.name) }
    }

    private func all<Element, Result>(_ elements: [Element], _ body: (Element) -> Result?) -> [Result]? {
        let found = elements.compactMap(body)
        return found.count == elements.count ? found : nil
    }
}
