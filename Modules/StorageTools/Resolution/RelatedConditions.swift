import CofferEvaluation
package import CofferStorage

/// A source of the rows that ``RelatedConditions`` searches for.
package protocol RelatedRowSource {
    var layout: ModelLayout { get }

    /// The rows of a request, in any order; nil if finding them takes too long.
    func relatedRows(_ request: RowRequest) throws(StorageError) -> [Row]?

    /// Returns the owners of some members of a relationship, each with the number of these members.
    ///
    /// The result is nil if there are more owners than the limit.
    func owners(
        _ relationship: RelationshipLayout, of members: [Row], limit: Int
    ) throws(StorageError) -> [Int64: Int]?
}

/// Replaces conditions on related objects by conditions on references and keys.
///
/// `album.name == "x"` becomes `album IN {3, 7}` by a fetch of the albums, and `ANY tracks.number == 1` becomes
/// `id IN {5}` by a fetch of the tracks. The new condition is true for the same rows of the source.
package struct RelatedConditions<Source: RelatedRowSource> {
    private let source: Source
    private let limit: Int

    /// - Parameter limit: the maximum number of related objects. With more objects, the condition is not replaced,
    ///   because its evaluation for each row may cost less.
    package init(_ source: Source, limit: Int = 10_000) {
        self.source = source
        self.limit = limit
    }

    private var layout: ModelLayout { source.layout }

    /// Divides a condition into parts without relationships and the other parts; nil if there are no other parts.
    package func split(
        _ predicate: RowPredicate, _ entity: Int
    ) throws(StorageError) -> (plain: RowPredicate, rest: RowPredicate?) {
        guard case .and(let parts) = predicate else {
            if let plain = try replaced(predicate, entity) { return (plain, nil) }
            return (.constant(true), predicate)
        }
        var (plain, rest): ([RowPredicate], [RowPredicate]) = ([], [])
        var steps: [(step: Int, parts: [RowPredicate], conditions: [RowPredicate])] = []
        for part in parts {
            if let (step, condition) = Self.condition(part) {
                let place = steps.firstIndex { $0.step == step } ?? steps.endIndex
                if place == steps.endIndex { steps.append((step, [], [])) }
                steps[place].parts.append(part)
                steps[place].conditions.append(condition)
                continue
            }
            let (known, other) = try split(part, entity)
            if known != .constant(true) { plain.append(known) }
            if let other { rest.append(other) }
        }
        // The same related object must fulfil all conditions of a step, so one fetch uses all of them.
        for (step, parts, conditions) in steps {
            if let known = try references(step, where: Self.and(conditions)) {
                plain.append(known)
            } else {
                rest += parts
            }
        }
        return (Self.and(plain), rest.isEmpty ? nil : Self.and(rest))
    }

    /// Returns a relationship, and the condition that its related object must fulfil.
    ///
    /// The result is nil for other conditions, and for conditions that a row without a related object fulfils.
    private static func condition(_ predicate: RowPredicate) -> (step: Int, condition: RowPredicate)? {
        switch predicate {
        case .compare(.through(let step, let inner), let comparison, .value(let value))
        where !comparison.holds(.null, value):
            (step, .compare(inner, comparison, .value(value)))
        case .compare(.value(let value), let comparison, .through(let step, let inner))
        where !comparison.mirrored.holds(.null, value):
            (step, .compare(inner, comparison.mirrored, .value(value)))
        case .isIn(.through(let step, let inner), let values):
            (step, .isIn(inner, values))
        case .text(.through(let step, let inner), let relation, .value(let value), let options):
            (step, .text(inner, relation, .value(value), options))
        default: nil
        }
    }

    private static func and(_ parts: [RowPredicate]) -> RowPredicate {
        switch parts.count {
        case 0: .constant(true)
        case 1: parts[0]
        default: .and(parts)
        }
    }

    /// Returns a condition without relationships that is true for the same rows; nil if there is none.
    private func replaced(_ predicate: RowPredicate, _ entity: Int) throws(StorageError) -> RowPredicate? {
        if RowRequest(entity: entity, predicate: predicate).relationships.isEmpty { return predicate }
        if let (step, condition) = Self.condition(predicate) { return try references(step, where: condition) }
        switch predicate {
        case .and:
            let (plain, rest) = try split(predicate, entity)
            return rest == nil ? plain : nil
        case .or(let parts): return try replaced(parts, entity).map { .or($0) }
        case .not(let part): return try replaced(part, entity).map { .not($0) }
        case .compare(.through(let step, let inner), let comparison, .value(let value)),
            .compare(.value(let value), let comparison, .through(let step, let inner)):
            // Rows without a related object fulfil the condition, too: it is an equality with null or an inequality.
            let opposite: RowPredicate.Comparison = comparison == .equal ? .notEqual : .equal
            return try references(step, where: .compare(inner, opposite, .value(value))).map { .not($0) }
        case .some(let path, let relationship, let condition):
            return try counted(path, relationship, condition, .greater, 0)
        case .compare(
            .aggregate(.count, .key, from: let path, let relationship, where: let condition), let comparison,
            .value(.integer(let number))):
            return try counted(path, relationship, condition, comparison, number)
        default: return nil
        }
    }

    private func replaced(_ parts: [RowPredicate], _ entity: Int) throws(StorageError) -> [RowPredicate]? {
        var plain: [RowPredicate] = []
        for part in parts {
            guard let known = try replaced(part, entity) else { return nil }
            plain.append(known)
        }
        return plain
    }

    /// Returns the condition that a reference refers to an object that fulfils another condition.
    private func references(_ step: Int, where condition: RowPredicate) throws(StorageError) -> RowPredicate? {
        guard layout.relationships.indices.contains(step),
            case .reference(let slot, _) = layout.relationships[step].storage,
            let rows = try rows(layout.relationships[step].destination, condition)
        else { return nil }
        return Self.isIn(.column(slot: slot, kind: .reference), rows.map(\.key))
    }

    /// Returns a condition on the number of the related objects that fulfil another condition.
    private func counted(
        _ path: [Int], _ relationship: Int, _ condition: RowPredicate, _ comparison: RowPredicate.Comparison,
        _ number: Int64
    ) throws(StorageError) -> RowPredicate? {
        if condition.refersOutside { return nil }
        if let step = path.first {
            let rest = Array(path.dropFirst())
            let count = RowExpression.aggregate(.count, .key, from: rest, relationship: relationship, where: condition)
            let inner: RowPredicate =
                (comparison, number) == (.greater, 0)
                ? .some(from: rest, relationship: relationship, condition)
                : .compare(count, comparison, .value(.integer(number)))
            // A row without the related object of the path has no number.
            let isTrueForNone = comparison.holds(.null, .integer(number))
            return try references(step, where: isTrueForNone ? .not(inner) : inner).map {
                isTrueForNone ? .not($0) : $0
            }
        }
        let isTrueForNone = comparison.holds(.integer(0), .integer(number))
        // Without a condition, too many related objects would be fetched.
        guard condition != .constant(true), let counts = try owners(relationship, where: condition) else { return nil }
        let owners = counts.filter { comparison.holds(.integer(Int64($0.value)), .integer(number)) != isTrueForNone }
        let isOther = Self.isIn(.key, owners.keys.sorted())
        return isTrueForNone ? .not(isOther) : isOther
    }

    /// The owners of the members of a relationship that fulfil a condition, and the number of these members.
    private func owners(_ index: Int, where condition: RowPredicate) throws(StorageError) -> [Int64: Int]? {
        guard layout.relationships.indices.contains(index) else { return nil }
        let relationship = layout.relationships[index]
        guard let members = try rows(relationship.destination, condition) else { return nil }
        switch relationship.storage {
        case .reference: return nil
        case .inverse(let slot, _):
            var owners: [Int64: Int] = [:]
            for row in members where row.holds(slot) { owners[row.integer(slot), default: 0] += 1 }
            return owners
        case .links: return try source.owners(relationship, of: members, limit: limit)
        }
    }

    private static func isIn(_ expression: RowExpression, _ keys: [Int64]) -> RowPredicate {
        keys.isEmpty ? .constant(false) : .isIn(expression, keys.map { .integer($0) })
    }

    /// The rows of an entity that fulfil a condition; nil if there are too many.
    private func rows(_ entity: Int, _ condition: RowPredicate) throws(StorageError) -> [Row]? {
        let request = RowRequest(entity: entity, predicate: condition, limit: limit + 1)
        guard let rows = try source.relatedRows(request) else { return nil }
        return rows.count <= limit ? rows : nil
    }
}
