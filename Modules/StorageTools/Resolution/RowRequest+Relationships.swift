import CofferEvaluation
package import CofferStorage

/// Finds the relationships that a request passes through.
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

extension RequestTree {
    fileprivate func collectRelationships(into found: inout Set<Int>) {
        walk({ $0.addRelationships(to: &found) }, { $0.addRelationships(to: &found) })
    }
}

extension RowPredicate {
    fileprivate func addRelationships(to found: inout Set<Int>) {
        guard case .some(let path, let relationship, _) = self else { return }
        found.formUnion(path)
        found.insert(relationship)
    }
}

extension RowExpression {
    fileprivate func addRelationships(to found: inout Set<Int>) {
        switch self {
        case .through(let relationship, _), .count(let relationship): found.insert(relationship)
        case .aggregate(_, _, let path, let relationship, _):
            found.formUnion(path)
            found.insert(relationship)
        case .value, .column, .key, .function, .conditional, .outer: break
        }
    }
}
