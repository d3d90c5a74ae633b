import CofferEvaluation
import CofferStorage

/// Conditions on the object of a to-one relationship.
extension RowPredicate {
    /// The first relationship of the paths in the condition, and the condition for its object.
    ///
    /// The condition is true exactly if the object exists and fulfils the returned condition. The result is nil if
    /// the condition can be true without an object, or if it refers to several objects.
    var ofRelatedObject: (relationship: Int, condition: RowPredicate)? {
        switch self {
        case .compare(.through(let relationship, let inner), let comparison, .value(let value)):
            guard comparison != .notEqual, !value.isNull else { return nil }
            return (relationship, .compare(inner, comparison, .value(value)))
        case .compare(.value(let value), let comparison, .through(let relationship, let inner)):
            guard comparison != .notEqual, !value.isNull else { return nil }
            return (relationship, .compare(.value(value), comparison, inner))
        case .isIn(.through(let relationship, let inner), let values): return (relationship, .isIn(inner, values))
        case .some(let path, let relationship, let condition):
            // Without the first relationship of the path, an outer expression would refer to the related object.
            guard path.count > 1, !condition.refersOutside else { return nil }
            return (path[0], .some(from: Array(path.dropFirst()), relationship: relationship, condition))
        case .and(let parts): return Self.ofRelatedObject(parts).map { ($0, .and($1)) }
        case .or(let parts): return Self.ofRelatedObject(parts).map { ($0, .or($1)) }
        default: return nil
        }
    }

    private static func ofRelatedObject(_ parts: [RowPredicate]) -> (Int, [RowPredicate])? {
        guard let first = parts.first?.ofRelatedObject else { return nil }
        var conditions = [first.condition]
        for part in parts.dropFirst() {
            guard let other = part.ofRelatedObject, other.relationship == first.relationship else { return nil }
            conditions.append(other.condition)
        }
        return (first.relationship, conditions)
    }

    /// Returns the parts of a conjunction, with one part for all conditions on the object of a to-one relationship.
    static func groupedByRelatedObject(_ parts: [RowPredicate]) -> [RowPredicate] {
        var groups: [Int: [Int]] = [:]
        for (index, part) in parts.enumerated() {
            if let related = part.ofRelatedObject { groups[related.relationship, default: []].append(index) }
        }
        // A group of all parts is the conjunction itself.
        groups = groups.filter { $0.value.count > 1 && $0.value.count < parts.count }
        guard !groups.isEmpty else { return parts }
        var result = parts.map(Optional.some)
        for indexes in groups.values {
            for index in indexes { result[index] = nil }
            result[indexes[0]] = .and(indexes.map { parts[$0] })
        }
        return result.compactMap(\.self)
    }
}
