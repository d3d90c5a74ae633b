import CofferEvaluation
import CofferStorage

/// Resolves comparisons, `IN`, `BETWEEN` and `ANY`, and refuses operands that do not fit the operator.
extension RequestResolver {
    func resolve(_ written: QueryComparison, in scope: Scope) throws(StorageError) -> RowPredicate {
        let comparison = written.normalized
        var left = try operand(comparison.left, in: scope)
        // A quantifier belongs to the left side. On the right side, where no quantifier is possible, one of many
        // values is sufficient.
        let needsQuantifier = left.isCollection && comparison.left == written.left
        var right = try rightSide(comparison, comparedWith: left, in: scope)
        var relation = comparison.relation
        if relation == .isIn, case .one(let list) = right, list.isCollection || list.kind == .text {
            (left, right, relation) = (list, .one(left), .contains)
        }
        if case .one(let path) = right, path.isCollection, !left.isCollection, let mirrored = relation.mirrored {
            (left, right, relation) = (path, .one(left), mirrored)
        }
        if relation == .contains, left.isCollection, comparison.quantifier == .one {
            relation = .equal
        } else if needsQuantifier, comparison.quantifier == .one {
            throw .invalidRequest(
                "'\(left.name)' has many values. Add ANY, ALL or NONE to the condition."
            )
        }
        let condition = try condition(left, relation, right, comparison)
        switch comparison.quantifier {
        case .one, .any: return left.wrapping(condition)
        case .none: return .not(left.wrapping(condition))
        case .all: return left.isCollection ? .not(left.wrapping(.not(condition))) : condition
        }
    }

    /// Returns the values of a list in their stored form; nil if other rules than equality apply.
    ///
    /// A long list of such values is not resolved value by value.
    private func constants(
        _ comparison: QueryComparison, comparedWith left: ResolvedPath
    ) throws(StorageError) -> [Value]? {
        guard comparison.relation == .isIn, case .values(let values) = comparison.right,
            left.kind != .text || comparison.options.isEmpty
        else { return nil }
        if left.kind == .integer || (left.kind == .text && !left.isUUID),
            values.allSatisfy({ $0.kind == left.kind })
        {
            return values
        }
        for value in values { try value.requireNumber() }
        var constants: [Value] = []
        constants.reserveCapacity(values.count)
        var space: (storage: UInt32, isOwn: Bool)?
        for value in values {
            guard let kind = value.kind else { continue }
            // The resolution of the members refuses this list.
            if let own = left.kind, !own.isComparable(with: kind) { return nil }
            if case .object(let id) = value, let root = left.objectRoot {
                if space?.storage != id.storage { space = (id.storage, keySpaces[root] == id.space) }
                if space?.isOwn == true { constants.append(.integer(id.key)) }
            } else {
                constants.append(left.isUUID ? value.canonicalUUID : value)
            }
        }
        return constants
    }

    /// A right side: one value, or a list.
    private enum RightSide {
        case one(ResolvedPath)
        case several([ResolvedPath])
        /// Values in their stored form that can be compared with the left side.
        case constants([Value])
    }

    private func rightSide(
        _ comparison: QueryComparison, comparedWith left: ResolvedPath, in scope: Scope
    ) throws(StorageError) -> RightSide {
        if let constants = try constants(comparison, comparedWith: left) { return .constants(constants) }
        switch comparison.right {
        case .values(let values):
            return .several(try values.map { value throws(StorageError) in try constant(value) })
        case .list(let members):
            return .several(try members.map { member throws(StorageError) in try operand(member, in: scope) })
        default: return .one(try operand(comparison.right, in: scope))
        }
    }

    private func condition(
        _ left: ResolvedPath, _ relation: QueryComparison.Relation, _ right: RightSide, _ comparison: QueryComparison
    ) throws(StorageError) -> RowPredicate {
        switch (relation, right) {
        case (.isIn, .constants(let values)):
            return .isIn(left.expression, values)
        case (.isIn, .several(let members)):
            return try membership(left, members, comparison)
        case (.isIn, .one):
            throw .invalidRequest("'\(comparison)' needs a list of values on its right side.")
        case (.between, .several(let bounds)) where bounds.count == 2:
            return .and([
                try compare(left, .greaterOrEqual, bounds[0], comparison),
                try compare(left, .lessOrEqual, bounds[1], comparison),
            ])
        case (.between, _):
            throw .invalidRequest("'\(comparison)' needs a list of two values on its right side.")
        case (_, .several), (_, .constants):
            throw .invalidRequest("A list of values can only be the right side of IN and BETWEEN.")
        case (_, .one(let right)):
            if let relation = RowPredicate.Comparison(rawValue: relation.rawValue) {
                return try compare(left, relation, right, comparison)
            }
            return try texts(left, TextRelation(rawValue: relation.rawValue) ?? .equal, right, comparison)
        }
    }

    private func compare(
        _ left: ResolvedPath, _ relation: RowPredicate.Comparison, _ right: ResolvedPath, _ comparison: QueryComparison
    ) throws(StorageError) -> RowPredicate {
        guard !right.isCollection else {
            throw .invalidRequest("'\(comparison)' compares two properties, and the second property has many values.")
        }
        try requireComparable(left, right, comparison)
        let isEquality = relation == .equal || relation == .notEqual
        let (left, right) =
            isEquality ? (left.canonical(comparedWith: right), right.canonical(comparedWith: left)) : (left, right)
        guard isEquality || !(left.isObject || right.isObject) else {
            throw .invalidRequest(
                "'\(comparison)' orders objects, which have no order. Compare one of their properties.")
        }
        if left.kind == .text, right.kind == .text, !comparison.options.isEmpty {
            return try texts(left, relation.textRelation, right, comparison)
        }
        guard let a = left.resolvedExpression(self, other: right), let b = right.resolvedExpression(self, other: left)
        else {
            return .constant(relation == .notEqual)
        }
        return .compare(a, relation, b.seen(from: left))
    }

    /// The comparison of two strings by other rules than the comparison of bytes.
    private func texts(
        _ left: ResolvedPath, _ relation: TextRelation, _ right: ResolvedPath, _ comparison: QueryComparison
    ) throws(StorageError) -> RowPredicate {
        for side in [left, right] {
            guard side.kind == .text || side.kind == nil else {
                throw .invalidRequest(
                    "'\(comparison.relation.symbol)' needs strings; '\(side.name)' is \(side.kind?.article ?? "null")."
                )
            }
        }
        guard !right.isCollection else {
            throw .invalidRequest("'\(comparison)' compares with many values. Write that path on the left side.")
        }
        try requireNoLanguage(comparison.options, "\(comparison.relation.symbol)\(comparison.options)")
        let options = TextFolding.applies(comparison.options) ? comparison.options : []
        let other = right.expression.seen(from: left)
        switch (relation, right.expression) {
        case (_, .value(.null)),
            (_, _) where left.expression == .value(.null):
            return .constant(relation == .notEqual)
        case (.matches, .value(.text(let pattern))):
            _ = try TextPattern(.matches, pattern, options)
        case (.matches, _):
            throw .invalidRequest("'\(comparison)' needs a constant on its right side.")
        case (.beginsWith, .value(.text(let prefix))) where options.isEmpty:
            return .prefix(prefix, of: left.expression)
        case (.equal, _), (.notEqual, _):
            let areBothNull = RowPredicate.and([
                .compare(left.expression, .equal, .value(.null)), .compare(other, .equal, .value(.null)),
            ])
            let areEqual = RowPredicate.text(left.expression, .equal, other, options)
            let isEqual = right.isConstant || left.isConstant ? areEqual : .or([areEqual, areBothNull])
            return relation == .equal ? isEqual : .not(isEqual)
        default: break
        }
        return .text(left.expression, relation, other, options)
    }

    private func membership(
        _ left: ResolvedPath, _ members: [ResolvedPath], _ comparison: QueryComparison
    ) throws(StorageError) -> RowPredicate {
        let isPlain = comparison.options.isEmpty || left.kind != .text
        var constants: [Value] = []
        var others: [RowPredicate] = []
        for member in members where member.expression != .value(.null) {
            try requireComparable(left, member, comparison)
            let member = member.canonical(comparedWith: left)
            if isPlain, member.isConstant {
                if case .value(let value)? = member.resolvedExpression(self, other: left) { constants.append(value) }
            } else {
                others.append(try compare(left, .equal, member, comparison))
            }
        }
        let isIn = RowPredicate.isIn(left.expression, constants)
        guard !others.isEmpty else { return isIn }
        // A null is in no list.
        return .and([.compare(left.expression, .notEqual, .value(.null)), .or([isIn] + others)])
    }
}

extension RowPredicate {
    /// A test of a prefix by two bounds, for which a store can use an index.
    fileprivate static func prefix(_ prefix: String, of expression: RowExpression) -> RowPredicate {
        guard !prefix.isEmpty else { return .constant(false) }
        let lower = RowPredicate.compare(expression, .greaterOrEqual, .value(.text(prefix)))
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // In UTF-8, strings sort by their scalars. Surrogates are not scalars.
            guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
            var upper = String.UnicodeScalarView(scalars)
            upper.append(next)
            return .and([lower, .compare(expression, .less, .value(.text(String(upper))))])
        }
        return lower
    }
}

extension RowExpression {
    /// Returns the expression for a condition at the end of a path, in which it refers to an enclosing object.
    fileprivate func seen(from path: ResolvedPath) -> RowExpression {
        if case .value = self { return self }
        return path.collections.reduce(self) { expression, _ in .outer(expression) }
    }
}

extension QueryComparison.Relation {
    /// The relation with exchanged sides; nil if there is none.
    var mirrored: QueryComparison.Relation? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .isIn: .contains
        case .contains: .isIn
        case .between, .beginsWith, .endsWith, .like, .matches: nil
        }
    }
}

extension QueryComparison {
    /// The comparison with a property on the left and a constant or a list on the right, if it has both.
    fileprivate var normalized: QueryComparison {
        let isSwapped: Bool
        switch (left, right) {
        case (.values, _), (.list, _): isSwapped = relation == .contains
        case (.value, .keyPath): isSwapped = relation != .isIn && relation != .contains
        default: isSwapped = false
        }
        guard isSwapped, let mirrored = relation.mirrored else { return self }
        return QueryComparison(right, mirrored, left, quantifier: quantifier, options: options)
    }
}
