/// Replaces the names in a request by slots and relationships, and refuses what the model does not have.
///
/// An unknown key is an error that names the entity, the key and the nearest key there is:
/// `invalidRequest: 'Person' has no property 'nmae'. Did you mean 'name'?`
public struct RequestResolver: Sendable {
    /// The model whose names are looked up.
    public let layout: ModelLayout
    /// For each root entity's index, the number of the key space its ids must be of; see ``ObjectID/space``.
    let keySpaces: [Int: KeySpace]

    /// - Parameter keySpaces: by the root entity's index, the key spaces of the store the request goes to. An object
    ///   of another store equals nothing in this one.
    public init(layout: ModelLayout, keySpaces: [Int: KeySpace]) {
        self.layout = layout
        self.keySpaces = keySpaces
    }

    /// The condition as rows of an entity must fulfil it.
    public func resolve(_ predicate: QueryPredicate, entity: Int) throws(StorageError) -> RowPredicate {
        switch predicate {
        case .constant(let flag): return .constant(flag)
        case .comparison(let comparison): return try resolve(comparison, entity: entity)
        case .and(let parts):
            var resolved: [RowPredicate] = []
            for part in parts { resolved.append(try resolve(part, entity: entity)) }
            return .and(resolved)
        case .or(let parts):
            var resolved: [RowPredicate] = []
            for part in parts { resolved.append(try resolve(part, entity: entity)) }
            return .or(resolved)
        case .not(let part): return .not(try resolve(part, entity: entity))
        }
    }

    /// The order as rows of an entity have it.
    public func resolve(_ order: [QuerySortDescriptor], entity: Int) throws(StorageError) -> [RowSort] {
        var resolved: [RowSort] = []
        for descriptor in order {
            resolved.append(RowSort(try expression(descriptor.key, entity: entity), ascending: descriptor.ascending))
        }
        return resolved
    }

    /// The value a key path leads to, which must not pass through a to-many relationship other than to count it.
    public func expression(_ keyPath: KeyPathString, entity: Int) throws(StorageError) -> RowExpression {
        let path = try self.path(keyPath, entity: entity)
        guard path.collections.isEmpty else {
            throw .invalidRequest(
                "'\(keyPath)' has many values for one '\(layout.entities[entity].name)'. "
                    + "Use it in a condition with ANY, ALL or NONE, or count it with '@count'."
            )
        }
        return path.expression
    }

    private func resolve(_ comparison: QueryComparison, entity: Int) throws(StorageError) -> RowPredicate {
        var comparison = comparison
        if case .keyPath = comparison.right, let mirrored = comparison.mirrored { comparison = mirrored }
        let left = try operand(comparison.left, entity: entity)
        let condition: RowPredicate
        if comparison.relation == .isIn {
            condition = try membership(left, comparison)
        } else {
            let right = try operand(comparison.right, entity: entity)
            guard right.collections.isEmpty else {
                throw .invalidRequest("'\(comparison)' compares two properties, of which the second has many values.")
            }
            condition = try compare(left, comparison, right)
        }
        let hasMany = !left.collections.isEmpty
        switch comparison.quantifier {
        case .one, .any: return left.wrapping(condition)
        case .none: return .not(left.wrapping(condition))
        case .all: return hasMany ? .not(left.wrapping(.not(condition))) : condition
        }
    }

    private func compare(
        _ left: ResolvedPath, _ comparison: QueryComparison, _ right: ResolvedPath
    ) throws(StorageError) -> RowPredicate {
        guard left.collections.isEmpty || right.isConstant else {
            throw .invalidRequest("'\(comparison)' compares many values with a property. Compare them with a constant.")
        }
        try requireComparable(left, right, comparison)
        let isEquality = comparison.relation == .equal || comparison.relation == .notEqual
        guard isEquality || !(left.isObject || right.isObject) else {
            throw .invalidRequest(
                "'\(comparison)' orders objects, which have no order. Compare one of their properties.")
        }
        guard let a = left.resolvedExpression(self, other: right), let b = right.resolvedExpression(self, other: left)
        else {
            return .constant(comparison.relation == .notEqual)
        }
        return .compare(a, RowPredicate.Comparison(rawValue: comparison.relation.rawValue) ?? .equal, b)
    }

    private func membership(_ left: ResolvedPath, _ comparison: QueryComparison) throws(StorageError) -> RowPredicate {
        guard case .values(let values) = comparison.right else {
            throw .invalidRequest("'\(comparison)' needs a list of values on its right side.")
        }
        var members: [Value] = []
        for value in values where !value.isNull {
            let member = ResolvedPath(constant: value)
            try requireComparable(left, member, comparison)
            if case .value(let resolved)? = member.resolvedExpression(self, other: left) { members.append(resolved) }
        }
        return .isIn(left.expression, members)
    }

    private func operand(_ expression: QueryExpression, entity: Int) throws(StorageError) -> ResolvedPath {
        switch expression {
        case .value(let value): return ResolvedPath(constant: value)
        case .keyPath(let keyPath): return try path(keyPath, entity: entity)
        case .evaluatedObject:
            return ResolvedPath(expression: .key, kind: .reference, objectRoot: layout.entities[entity].root)
        case .values: throw .invalidRequest("A list of values can only be the right side of IN.")
        }
    }
}

extension QueryComparison {
    /// The comparison with its sides exchanged, when that puts a property on the left of a constant.
    fileprivate var mirrored: QueryComparison? {
        guard case .value = left else { return nil }
        let relation: Relation? =
            switch self.relation {
            case .equal, .notEqual: self.relation
            case .less: .greater
            case .lessOrEqual: .greaterOrEqual
            case .greater: .less
            case .greaterOrEqual: .lessOrEqual
            case .isIn: nil
            }
        return relation.map { QueryComparison(right, $0, left, quantifier: quantifier) }
    }
}
