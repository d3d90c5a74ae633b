import CofferEvaluation
import CofferStorage

/// Evaluates comparisons such as `==`, `BETWEEN` and `LIKE` of a format string in memory, and creates their errors.
struct FormatComparison {
    let symbol: PredicateFormat.Comparison.Operator
    let options: TextOptions

    func holds(_ left: FormatOperand, _ right: FormatOperand) throws(FormatEvaluationError) -> Bool {
        guard options.isDisjoint(with: [.localeSensitive, .wordBased]) else {
            throw FormatEvaluationError("\(symbol.symbol)\(options): the options l and w depend on a language.")
        }
        switch symbol {
        case .equal: return try isEqual(left, right)
        case .notEqual: return try !isEqual(left, right)
        case .less: return try isOrdered(.less, left, right)
        case .lessOrEqual: return try isOrdered(.lessOrEqual, left, right)
        case .greater: return try isOrdered(.greater, left, right)
        case .greaterOrEqual: return try isOrdered(.greaterOrEqual, left, right)
        case .isIn: return try isMember(left, of: right)
        case .contains: return try isMember(right, of: left)
        case .beginsWith: return try relates(left, .beginsWith, right)
        case .endsWith: return try relates(left, .endsWith, right)
        case .like: return try relates(left, .like, right)
        case .matches: return try relates(left, .matches, right)
        case .between: return try isBetween(left, right)
        case .equalsType: return try relates(left, .equal, right, .caseInsensitive)
        case .conformsToType: throw FormatEvaluationError("UTI-CONFORMS-TO needs types that only Apple's systems have.")
        case .selector(let name): throw FormatEvaluationError("The method '\(name)' is not supported here.")
        }
    }

    private func isEqual(_ left: FormatOperand, _ right: FormatOperand) throws(FormatEvaluationError) -> Bool {
        guard case .value(let a) = left, case .value(let b) = right else { return left.isEqual(to: right) }
        return try answer { () throws(StorageError) in try RowPredicate.Comparison.equal.holds(a, b, options) }
    }

    private func isOrdered(
        _ comparison: RowPredicate.Comparison, _ left: FormatOperand, _ right: FormatOperand
    ) throws(FormatEvaluationError) -> Bool {
        if left.isNull || right.isNull { return false }
        guard case .value(let a) = left, case .value(let b) = right, ValueOrdering.compare(a, b) != nil else {
            throw FormatEvaluationError("\(symbol.symbol) cannot order \(left.kind) and \(right.kind).")
        }
        return try answer { () throws(StorageError) in try comparison.holds(a, b, options) }
    }

    private func isMember(
        _ member: FormatOperand, of collection: FormatOperand
    ) throws(FormatEvaluationError) -> Bool {
        guard let members = collection.members else { return try relates(collection, .contains, member) }
        for other in members where try isEqual(member, other) { return true }
        return false
    }

    private func isBetween(_ value: FormatOperand, _ bounds: FormatOperand) throws(FormatEvaluationError) -> Bool {
        guard let bounds = bounds.members, bounds.count == 2 else {
            throw FormatEvaluationError("BETWEEN needs a collection of two values on its right side.")
        }
        guard try isOrdered(.greaterOrEqual, value, bounds[0]) else { return false }
        return try isOrdered(.lessOrEqual, value, bounds[1])
    }

    private func relates(
        _ left: FormatOperand, _ relation: TextRelation, _ right: FormatOperand, _ options: TextOptions? = nil
    ) throws(FormatEvaluationError) -> Bool {
        if left.isNull || right.isNull { return false }
        guard case .value(let a) = left, case .value(let b) = right, a.kind == .text, b.kind == .text else {
            throw FormatEvaluationError("\(symbol.symbol) needs strings, not \(left.kind) and \(right.kind).")
        }
        return try answer { () throws(StorageError) in try relation.holds(a, b, options ?? self.options) }
    }

    private func answer(_ body: () throws(StorageError) -> Bool) throws(FormatEvaluationError) -> Bool {
        do { return try body() } catch { throw FormatEvaluationError(error.message) }
    }
}
