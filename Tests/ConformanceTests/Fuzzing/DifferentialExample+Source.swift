import CofferStorage
import Foundation

@testable import CofferConformance

/// Swift code that recreates the example.
extension DifferentialExample {
    var source: String {
        """
        DifferentialExample(
            entities: [
        \(entities.map { "        \($0.source)" }.joined(separator: ",\n"))
            ],
            items: [
        \(items.map { "        \($0.source)" }.joined(separator: ",\n"))
            ],
            links: \(links.map(\.source).list),
            request: \(request.source))
        """
    }
}

extension DifferentialExample.Item {
    fileprivate var source: String {
        let values = values.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value.source)" }
        return ".init(\(entity.debugDescription), \(key)\(values.isEmpty ? "" : ", \(values.list)"))"
    }
}

extension DifferentialComparison.Request {
    fileprivate var source: String {
        switch self {
        case .rows(let request): ".rows(\(request.source))"
        case .values(let request): ".values(\(request.source))"
        }
    }
}

extension ChangeSet.Link {
    fileprivate var source: String {
        var parts = ["table: \(table)", "first: \(first)", "second: \(second)"]
        if let firstPosition { parts.append("firstPosition: \(firstPosition)") }
        if let secondPosition { parts.append("secondPosition: \(secondPosition)") }
        return ".init(\(parts.joined(separator: ", ")))"
    }
}

extension EntityDescription {
    fileprivate var source: String {
        var parts = ["name: \(name.debugDescription)"]
        if let parent { parts.append("parent: \(parent.debugDescription)") }
        if isAbstract { parts.append("isAbstract: true") }
        if !attributes.isEmpty { parts.append("attributes: \(attributes.map(\.source).list)") }
        if !relationships.isEmpty { parts.append("relationships: \(relationships.map(\.source).list)") }
        if !indexes.isEmpty { parts.append("indexes: \(indexes)") }
        if !uniqueConstraints.isEmpty { parts.append("uniqueConstraints: \(uniqueConstraints)") }
        return "EntityDescription(\(parts.joined(separator: ", ")))"
    }
}

extension AttributeDescription {
    fileprivate var source: String {
        ".init(name: \(name.debugDescription), type: .\(type)\(isOptional ? ", isOptional: true" : ""))"
    }
}

extension RelationshipDescription {
    fileprivate var source: String {
        ".init(name: \(name.debugDescription), destination: \(destination.debugDescription), "
            + "inverse: \(inverse.debugDescription), isToMany: \(isToMany)\(isOrdered ? ", isOrdered: true" : ""))"
    }
}

extension RowRequest {
    fileprivate var source: String {
        var parts = ["entity: \(entity)"]
        if !includesSubentities { parts.append("includesSubentities: false") }
        if predicate != .constant(true) { parts.append("predicate: \(predicate.source)") }
        if !order.isEmpty {
            parts.append("order: \(order.map { ".init(\($0.expression.source), ascending: \($0.ascending))" }.list)")
        }
        if offset != 0 { parts.append("offset: \(offset)") }
        if let limit { parts.append("limit: \(limit)") }
        return "RowRequest(\(parts.joined(separator: ", ")))"
    }
}

extension ValueRequest {
    fileprivate var source: String {
        var parts = ["rows: \(rows.source)", "terms: \(terms.map(\.source).list)"]
        if !groups.isEmpty { parts.append("groups: \(groups.map(\.source).list)") }
        if let having { parts.append("having: \(having.source)") }
        if isDistinct { parts.append("isDistinct: true") }
        return "ValueRequest(\(parts.joined(separator: ", ")))"
    }
}

extension ValueRequest.Term {
    fileprivate var source: String {
        switch self {
        case .expression(let value): ".expression(\(value.source))"
        case .aggregate(let aggregate, let value): ".aggregate(.\(aggregate), \(value.source))"
        }
    }
}

extension ValueRequest.Having {
    fileprivate var source: String {
        switch self {
        case .compare(let term, let comparison, let value): ".compare(\(term.source), .\(comparison), \(value.source))"
        case .and(let parts): ".and(\(parts.map(\.source).list))"
        case .or(let parts): ".or(\(parts.map(\.source).list))"
        case .not(let part): ".not(\(part.source))"
        }
    }
}

extension RowPredicate {
    fileprivate var source: String {
        switch self {
        case .constant(let holds): ".constant(\(holds))"
        case .compare(let left, let comparison, let right): ".compare(\(left.source), .\(comparison), \(right.source))"
        case .isIn(let value, let list): ".isIn(\(value.source), \(list.map(\.source).list))"
        case .text(let left, let relation, let right, let options):
            ".text(\(left.source), .\(relation), \(right.source), .init(rawValue: \(options.rawValue)))"
        case .isEntity(let entities): ".isEntity(\(entities))"
        case .some(let path, let relationship, let condition):
            ".some(from: \(path), relationship: \(relationship), \(condition.source))"
        case .and(let parts): ".and(\(parts.map(\.source).list))"
        case .or(let parts): ".or(\(parts.map(\.source).list))"
        case .not(let part): ".not(\(part.source))"
        }
    }
}

extension RowExpression {
    fileprivate var source: String {
        switch self {
        case .value(let value): ".value(\(value.source))"
        case .column(let slot, let kind): ".column(slot: \(slot), kind: .\(kind))"
        case .key: ".key"
        case .through(let relationship, let inner): ".through(relationship: \(relationship), \(inner.source))"
        case .count(let relationship): ".count(relationship: \(relationship))"
        case .function(let function, let arguments): ".function(.\(function), \(arguments.map(\.source).list))"
        case .conditional(let condition, let first, let second):
            ".conditional(\(condition.source), \(first.source), \(second.source))"
        case .aggregate(let aggregate, let value, let path, let relationship, let condition):
            ".aggregate(.\(aggregate), \(value.source), from: \(path), relationship: \(relationship), "
                + "where: \(condition.source))"
        case .outer(let inner): ".outer(\(inner.source))"
        }
    }
}

extension Value {
    fileprivate var source: String {
        switch self {
        case .null: ".null"
        case .boolean(let flag): ".boolean(\(flag))"
        case .integer(let number): ".integer(\(number))"
        case .double(let number) where number.isInfinite: ".double(\(number < 0 ? "-" : "").infinity)"
        case .double(let number): ".double(\(number))"
        case .decimal(let number): "try .decimal(\"\(number)\")"
        case .text(let text): ".text(\"\(text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())\")"
        case .blob(let data): ".blob(Data(\(Array(data))))"
        case .date(let seconds) where seconds.isInfinite: ".date(\(seconds < 0 ? "-" : "").infinity)"
        case .date(let seconds): ".date(\(seconds))"
        case .object(let id): ".object(\(id))"
        }
    }
}

extension [String] {
    fileprivate var list: String { "[\(joined(separator: ", "))]" }
}
