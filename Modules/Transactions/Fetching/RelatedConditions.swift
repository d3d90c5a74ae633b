import CofferEvaluation
import CofferSchema
import CofferStorage
import CofferStorageTools

/// Replaces conditions on related objects by conditions on references and keys.
///
/// `album.name == "x"` becomes `album IN {3, 7}` by a fetch of the albums, and `ANY tracks.number == 1` becomes
/// `id IN {5}` by a fetch of the tracks. The new condition is true for the same rows, as the context sees them.
struct RelatedConditions {
    private let overlay: PendingOverlay
    /// With more related objects, evaluating the condition for each row may cost less.
    private static var relatedLimit: Int { 10_000 }

    init(_ overlay: PendingOverlay) { self.overlay = overlay }

    private var layout: ModelLayout { overlay.state.layout }

    /// The conjunction of the parts of a condition that can be replaced, and that of the other parts; nil for none.
    func split(
        _ predicate: RowPredicate, _ entity: Int
    ) throws(StorageError) -> (plain: RowPredicate, rest: RowPredicate?) {
        guard case .and(let parts) = predicate else {
            if let plain = try replaced(predicate, entity) { return (plain, nil) }
            return (.constant(true), predicate)
        }
        var (plain, rest): ([RowPredicate], [RowPredicate]) = ([], [])
        for part in parts {
            let (known, other) = try split(part, entity)
            if known != .constant(true) { plain.append(known) }
            if let other { rest.append(other) }
        }
        return (Self.and(plain), rest.isEmpty ? nil : Self.and(rest))
    }

    private static func and(_ parts: [RowPredicate]) -> RowPredicate {
        switch parts.count {
        case 0: .constant(true)
        case 1: parts[0]
        default: .and(parts)
        }
    }

    /// A condition that follows no relationship and is true for the same rows; nil if there is none.
    private func replaced(_ predicate: RowPredicate, _ entity: Int) throws(StorageError) -> RowPredicate? {
        if RowRequest(entity: entity, predicate: predicate).relationships.isEmpty { return predicate }
        switch predicate {
        case .and(let parts): return try replaced(parts, entity).map { .and($0) }
        case .or(let parts): return try replaced(parts, entity).map { .or($0) }
        case .not(let part): return try replaced(part, entity).map { .not($0) }
        case .compare(.through(let step, let inner), let comparison, .value(let value)):
            return try compared(step, inner, comparison, value)
        case .compare(.value(let value), let comparison, .through(let step, let inner)):
            return try compared(step, inner, comparison.mirrored, value)
        case .isIn(.through(let step, let inner), let values):
            return try references(step, where: .isIn(inner, values))
        case .text(.through(let step, let inner), let relation, .value(let value), let options):
            return try references(step, where: .text(inner, relation, .value(value), options))
        case .some(let path, let relationship, let condition):
            guard !condition.hasOuterValues else { return nil }
            if let step = path.first {
                return try references(
                    step, where: .some(from: Array(path.dropFirst()), relationship: relationship, condition))
            }
            return try owners(relationship, where: condition)
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

    /// The condition for a comparison with a value of a related object.
    private func compared(
        _ step: Int, _ inner: RowExpression, _ comparison: RowPredicate.Comparison, _ value: Value
    ) throws(StorageError) -> RowPredicate? {
        // Rows without a related object fulfil these, and no list of references has them.
        if comparison.holds(.null, value) {
            let opposite: RowPredicate.Comparison
            switch comparison {
            case .equal: opposite = .notEqual
            case .notEqual: opposite = .equal
            case .less, .lessOrEqual, .greater, .greaterOrEqual: return nil
            }
            return try references(step, where: .compare(inner, opposite, .value(value))).map { .not($0) }
        }
        return try references(step, where: .compare(inner, comparison, .value(value)))
    }

    /// The condition that a reference is to an object that fulfils a condition.
    private func references(_ step: Int, where condition: RowPredicate) throws(StorageError) -> RowPredicate? {
        guard layout.relationships.indices.contains(step),
            case .reference(let slot, _) = layout.relationships[step].storage,
            let rows = try rows(layout.relationships[step].destination, condition)
        else { return nil }
        return Self.isIn(.column(slot: slot, kind: .reference), rows.map(\.key))
    }

    /// The condition that one of the members of a relationship fulfils a condition.
    private func owners(_ index: Int, where condition: RowPredicate) throws(StorageError) -> RowPredicate? {
        guard layout.relationships.indices.contains(index) else { return nil }
        let relationship = layout.relationships[index]
        guard let members = try rows(relationship.destination, condition) else { return nil }
        var owners: Set<Int64> = []
        switch relationship.storage {
        case .reference: return nil
        case .inverse(let slot, _): for row in members where row.holds(slot) { owners.insert(row.integer(slot)) }
        case .links:
            let inverse = layout.relationships[relationship.inverse]
            let objects = ObjectFactory(overlay.state).objects(members, relationship.destination, overlay.store)
            for object in objects {
                let keys = try RelationshipLoader(overlay.state).toMany(inverse, of: object).map(\.id.key)
                owners.formUnion(keys)
                guard owners.count <= Self.relatedLimit else { return nil }
            }
        }
        return Self.isIn(.key, owners.sorted())
    }

    private static func isIn(_ expression: RowExpression, _ keys: [Int64]) -> RowPredicate {
        keys.isEmpty ? .constant(false) : .isIn(expression, keys.map { .integer($0) })
    }

    /// The rows of an entity that fulfil a condition; nil if there are too many.
    private func rows(_ entity: Int, _ condition: RowPredicate) throws(StorageError) -> [Row]? {
        let rows = try overlay.rows(
            RowRequest(entity: entity, predicate: condition, limit: Self.relatedLimit + 1))
        return rows.count <= Self.relatedLimit ? rows : nil
    }
}

extension RowPredicate {
    /// Whether a value of an outer row occurs in the condition.
    fileprivate var hasOuterValues: Bool {
        var isFound = false
        walk({ _ in }) { if case .outer = $0 { isFound = true } }
        return isFound
    }
}
