import CofferEvaluation
package import CofferStorage

extension RowRequest {
    /// The relationships, by their indexes, that the predicate and the order pass through.
    package var relationships: Set<Int> {
        var found: Set<Int> = []
        predicate.collectRelationships(into: &found)
        for sort in order { sort.expression.collectRelationships(into: &found) }
        return found
    }
}

extension ValueRequest {
    /// The relationships, by their indexes, that the request passes through.
    package var relationships: Set<Int> {
        var found = rows.relationships
        for group in groups { group.collectRelationships(into: &found) }
        for term in terms + (having?.terms ?? []) {
            switch term {
            case .expression(let expression), .aggregate(_, let expression):
                expression.collectRelationships(into: &found)
            }
        }
        return found
    }
}

extension RowPredicate {
    fileprivate func collectRelationships(into found: inout Set<Int>) {
        switch self {
        case .constant, .isEntity: break
        case .compare(let left, _, let right):
            left.collectRelationships(into: &found)
            right.collectRelationships(into: &found)
        case .isIn(let expression, _): expression.collectRelationships(into: &found)
        case .text(let left, _, let right, _):
            left.collectRelationships(into: &found)
            right.collectRelationships(into: &found)
        case .some(let from, let relationship, let condition):
            found.formUnion(from)
            found.insert(relationship)
            condition.collectRelationships(into: &found)
        case .and(let parts), .or(let parts): for part in parts { part.collectRelationships(into: &found) }
        case .not(let part): part.collectRelationships(into: &found)
        }
    }
}

extension RowExpression {
    fileprivate func collectRelationships(into found: inout Set<Int>) {
        switch self {
        case .value, .column, .key: break
        case .through(let relationship, let expression):
            found.insert(relationship)
            expression.collectRelationships(into: &found)
        case .count(let relationship): found.insert(relationship)
        case .function(_, let arguments): for argument in arguments { argument.collectRelationships(into: &found) }
        case .conditional(let condition, let first, let second):
            condition.collectRelationships(into: &found)
            first.collectRelationships(into: &found)
            second.collectRelationships(into: &found)
        case .aggregate(_, let value, let from, let relationship, let condition):
            found.formUnion(from)
            found.insert(relationship)
            value.collectRelationships(into: &found)
            condition.collectRelationships(into: &found)
        case .outer(let expression): expression.collectRelationships(into: &found)
        }
    }
}
