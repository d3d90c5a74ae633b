import CofferEvaluation
import CofferStorage

@testable import CofferConformance

/// Candidates for a simpler condition, each a little simpler than the original.
extension RowPredicate {
    func simpler(_ layout: ModelLayout) -> [RowPredicate] {
        switch self {
        case .constant: return []
        case .compare(let left, let comparison, let right):
            return [.constant(true), .constant(false)] + left.simpler(layout).map { .compare($0, comparison, right) }
                + right.simpler(layout).map { .compare(left, comparison, $0) }
        case .isIn(let value, let list):
            let lists = list.indices.map { list.dropping($0) } + (list.count > 3 ? [Array(list.prefix(2))] : [])
            return [.constant(true), .constant(false)] + lists.map { .isIn(value, $0) }
                + value.simpler(layout).map { .isIn($0, list) }
        case .text(let left, let relation, let right, let options):
            return [.constant(true), .constant(false)]
                + (options.isEmpty ? [] : [.text(left, relation, right, [])])
                + left.simpler(layout).map { .text($0, relation, right, options) }
                + right.simpler(layout).map { .text(left, relation, $0, options) }
        case .isEntity: return [.constant(true), .constant(false)]
        case .some(let path, let relationship, let condition):
            return [.constant(true), .constant(false)]
                + condition.simpler(layout).map { .some(from: path, relationship: relationship, $0) }
        case .and(let parts):
            return parts + Self.simpler(parts, layout).map { .and($0) } + [.constant(true), .constant(false)]
        case .or(let parts):
            return parts + Self.simpler(parts, layout).map { .or($0) } + [.constant(true), .constant(false)]
        case .not(let part):
            return [part, .constant(true), .constant(false)] + part.simpler(layout).map { .not($0) }
        }
    }

    private static func simpler(_ parts: [RowPredicate], _ layout: ModelLayout) -> [[RowPredicate]] {
        parts.indices.map { parts.dropping($0) }
            + parts.indices.flatMap { index in parts[index].simpler(layout).map { parts.replacing(index, by: $0) } }
    }
}

extension RowExpression {
    /// Returns simpler expressions of the same kind.
    func simpler(_ layout: ModelLayout) -> [RowExpression] {
        let kind = layout.kind(of: self)
        var found: [RowExpression] = []
        if case .value = self {
        } else {
            if let kind, kind != .reference, self != .key { found.append(.value(kind.zero)) }
            found.append(.value(.null))
        }
        switch self {
        case .value, .column, .key, .count: break
        case .through(let relationship, let inner):
            found += inner.simpler(layout).map { .through(relationship: relationship, $0) }
        case .function(let function, let arguments):
            found += arguments.filter { layout.kind(of: $0) == kind }
            for index in arguments.indices {
                found += arguments[index].simpler(layout).map {
                    .function(function, arguments.replacing(index, by: $0))
                }
            }
        case .conditional(let condition, let first, let second):
            found += [first, second] + condition.simpler(layout).map { .conditional($0, first, second) }
            found += first.simpler(layout).map { .conditional(condition, $0, second) }
            found += second.simpler(layout).map { .conditional(condition, first, $0) }
        case .aggregate(let aggregate, let value, let path, let relationship, let condition):
            found += condition.simpler(layout).map {
                .aggregate(aggregate, value, from: path, relationship: relationship, where: $0)
            }
            found += value.simpler(layout).map {
                .aggregate(aggregate, $0, from: path, relationship: relationship, where: condition)
            }
        case .outer(let inner): found += inner.simpler(layout).map { .outer($0) }
        }
        return found
    }
}

extension RowRequest {
    func simpler(_ layout: ModelLayout) -> [RowRequest] {
        var found: [RowRequest] = []
        func add(_ change: (inout RowRequest) -> Void) {
            var request = self
            change(&request)
            found.append(request)
        }
        if limit != nil { add { $0.limit = nil } }
        if offset != 0 { add { $0.offset = 0 } }
        if !includesSubentities { add { $0.includesSubentities = true } }
        for index in order.indices { add { $0.order.remove(at: index) } }
        for index in order.indices where !order[index].ascending { add { $0.order[index].ascending = true } }
        for simple in predicate.simpler(layout) { add { $0.predicate = simple } }
        for index in order.indices {
            for simple in order[index].expression.simpler(layout) { add { $0.order[index].expression = simple } }
        }
        return found
    }
}

extension ValueRequest {
    func simpler(_ layout: ModelLayout) -> [ValueRequest] {
        var found: [ValueRequest] = []
        func add(_ change: (inout ValueRequest) -> Void) {
            var request = self
            change(&request)
            found.append(request)
        }
        if isDistinct { add { $0.isDistinct = false } }
        if having != nil { add { $0.having = nil } }
        for simple in having?.simpler ?? [] { add { $0.having = simple } }
        if terms.count > 1 { for index in terms.indices { add { $0.terms.remove(at: index) } } }
        for group in groups {
            add { request in
                request.groups.removeAll { $0 == group }
                request.terms.removeAll { $0 == .expression(group) }
                request.rows.order.removeAll { $0.expression == group }
            }
            for simple in group.simpler(layout) { add { $0.replace(group, by: simple) } }
        }
        for index in terms.indices {
            switch terms[index] {
            case .expression(let expression):
                for simple in expression.simpler(layout) { add { $0.replace(expression, by: simple) } }
            case .aggregate(let aggregate, let expression):
                for simple in expression.simpler(layout) { add { $0.terms[index] = .aggregate(aggregate, simple) } }
            }
        }
        return found
            + rows.simpler(layout).map { rows in
                var request = self
                request.rows = rows
                return request
            }
    }

    private mutating func replace(_ old: RowExpression, by new: RowExpression) {
        groups = groups.map { $0 == old ? new : $0 }
        terms = terms.map { $0 == .expression(old) ? .expression(new) : $0 }
        for index in rows.order.indices where rows.order[index].expression == old {
            rows.order[index].expression = new
        }
    }
}

extension ValueRequest.Having {
    fileprivate var simpler: [ValueRequest.Having] {
        switch self {
        case .compare: []
        case .and(let parts):
            parts + parts.indices.map { .and(parts.dropping($0)) }
                + parts.indices.flatMap { index in parts[index].simpler.map { .and(parts.replacing(index, by: $0)) } }
        case .or(let parts):
            parts + parts.indices.map { .or(parts.dropping($0)) }
                + parts.indices.flatMap { index in parts[index].simpler.map { .or(parts.replacing(index, by: $0)) } }
        case .not(let part): [part] + part.simpler.map { .not($0) }
        }
    }
}

extension Array {
    func dropping(_ index: Int) -> [Element] {
        var copy = self
        copy.remove(at: index)
        return copy
    }

    func replacing(_ index: Int, by element: Element) -> [Element] {
        var copy = self
        copy[index] = element
        return copy
    }
}
