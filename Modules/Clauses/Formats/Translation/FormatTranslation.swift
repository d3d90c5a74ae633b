import CofferEvaluation
import CofferStorage
import CofferStorageTools

/// Converts the syntax tree of a format string to a condition of a request; refuses parts that no store can evaluate.
///
/// A part that requests do not support is refused with a reason; no part is left out.
struct FormatTranslation {
    /// The variables of the enclosing subqueries, the innermost last.
    private var variables: [String] = []

    func predicate(_ format: PredicateFormat) throws(FormatEvaluationError) -> QueryPredicate {
        switch format {
        case .constant(let holds): return .constant(holds)
        case .comparison(let comparison): return .comparison(try self.comparison(comparison))
        case .and(let parts): return .and(try parts.map(predicate))
        case .or(let parts): return .or(try parts.map(predicate))
        case .not(let part): return .not(try predicate(part))
        }
    }

    private func comparison(_ format: PredicateFormat.Comparison) throws(FormatEvaluationError) -> QueryComparison {
        guard let relation = format.operator.relation else {
            throw FormatEvaluationError("'\(format.operator.symbol)' is not supported by stores.")
        }
        let left = try expression(format.left)
        let right = try expression(format.right)
        if format.quantifier != .one {
            switch left {
            case .value, .values, .list:
                throw FormatEvaluationError(
                    "\(format.quantifier.rawValue.uppercased()) needs a to-many relationship on its left side.")
            default: break
            }
        }
        return QueryComparison(left, relation, right, quantifier: format.quantifier, options: format.options)
    }

    func expression(_ format: ExpressionFormat) throws(FormatEvaluationError) -> QueryExpression {
        switch format {
        case .constant(let constant): return .value(constant.value)
        case .evaluatedObject, .variable: return try path(format, [])
        case .path(let base, let keys): return try path(base, keys)
        case .index(let base, .size): return try path(base, [Self.count])
        case .collection(let members): return try list(members)
        case .dictionary(let entries):
            return try list(entries.sorted { $0.key < $1.key }.map(\.value))
        case .unary(let symbol, let operand):
            return .function(symbol.function, [try expression(operand)])
        case .binary(let symbol, let left, let right):
            guard let function = symbol.function else {
                throw FormatEvaluationError("\(symbol.rawValue) is not supported by stores.")
            }
            return .function(function, [try expression(left), try expression(right)])
        case .function(let name, let arguments): return try function(name, arguments)
        case .conditional(let condition, let first, let second):
            return .conditional(try predicate(condition), try expression(first), try expression(second))
        case .cast(let operand, let type): return try cast(operand, type)
        case .subquery:
            throw FormatEvaluationError(
                "SUBQUERY must be followed by '.@count', '[SIZE]' or an aggregate such as '.@sum.age'.")
        case .index: throw FormatEvaluationError("A member of a collection by its position is not supported by stores.")
        case .assignment(let name, _): throw FormatEvaluationError("A request cannot assign a value to '$\(name)'.")
        case .call(_, let selector, _): throw FormatEvaluationError("Stores do not support the method '\(selector)'.")
        case .fetch: throw FormatEvaluationError("FETCH cannot be a part of a request.")
        }
    }

    /// A value of an enclosing object; the level is the number of subqueries in between.
    private func outer(_ level: Int, _ expression: QueryExpression) -> QueryExpression {
        (0..<level).reduce(expression) { expression, _ in .outer(expression) }
    }

    /// The number of subqueries between the current place and the subquery of a variable.
    private func level(of variable: String) throws(FormatEvaluationError) -> Int {
        guard let index = variables.lastIndex(of: variable) else {
            throw FormatEvaluationError("'$\(variable)' has no value.")
        }
        return variables.count - 1 - index
    }

    private func list(_ members: [ExpressionFormat]) throws(FormatEvaluationError) -> QueryExpression {
        let constants: [Value] = members.compactMap {
            if case .constant(let constant) = $0 { constant.value } else { nil }
        }
        guard constants.count < members.count else { return .values(constants) }
        let expressions = try members.map(expression)
        let values = expressions.compactMap { if case .value(let value) = $0 { value } else { nil } }
        return values.count == expressions.count ? .values(values) : .list(expressions)
    }

    private func cast(_ operand: ExpressionFormat, _ type: String) throws(FormatEvaluationError) -> QueryExpression {
        guard case .value(let value) = try expression(operand) else {
            throw FormatEvaluationError("CAST of a property is not supported by stores.")
        }
        guard let result = ValueCast.result(value, type) else {
            throw FormatEvaluationError("CAST cannot convert \(FormatOperand.value(value).kind) to '\(type)'.")
        }
        return .value(result)
    }
}

/// Paths, and functions of many values.
extension FormatTranslation {
    private func path(_ base: ExpressionFormat, _ keys: [String]) throws(FormatEvaluationError) -> QueryExpression {
        switch base {
        case .evaluatedObject: return outer(variables.count, try path(keys))
        case .variable(let name): return outer(try level(of: name), try path(keys))
        case .path(let first, let firstKeys): return try path(first, firstKeys + keys)
        case .subquery(let collection, let variable, let condition):
            return try subquery(collection, variable, condition, keys)
        case .collection(let members) where keys == [Self.count]: return .value(.integer(Int64(members.count)))
        case .index(_, let index) where index != .size: return try expression(base)
        default: throw FormatEvaluationError("The path '\(keys.joined(separator: "."))' must start at an object.")
        }
    }

    private func path(_ keys: [String]) throws(FormatEvaluationError) -> QueryExpression {
        var keys = keys
        while keys.count > 0, ["self", "SELF"].contains(keys[0]) { keys.removeFirst() }
        guard !keys.isEmpty, keys != ["objectID"] else { return .evaluatedObject }
        // `@sum.pets.age` means `pets.@sum.age`.
        if keys[0].hasPrefix("@"), keys.count > 1 {
            let symbol = keys.removeFirst()
            keys.insert(symbol, at: symbol == Self.count ? keys.count : keys.count - 1)
        }
        for key in keys where key.hasPrefix("@") && ValueRequest.Aggregate(pathKey: key) == nil {
            throw FormatEvaluationError("'\(key)' is not supported by stores.")
        }
        return .keyPath(keys.joined(separator: "."))
    }

    private func subquery(
        _ collection: ExpressionFormat, _ variable: String, _ condition: PredicateFormat, _ keys: [String]
    ) throws(FormatEvaluationError) -> QueryExpression {
        var (level, path) = (0, try expression(collection))
        while case .outer(let inner) = path { (level, path) = (level + 1, inner) }
        guard case .keyPath(let keyPath) = path else {
            throw FormatEvaluationError("SUBQUERY needs the path of a to-many relationship.")
        }
        guard level == 0 else {
            throw FormatEvaluationError("A nested SUBQUERY must use a relationship of its own object.")
        }
        guard let aggregate = keys.first.flatMap(ValueRequest.Aggregate.init(pathKey:)) else {
            throw FormatEvaluationError(
                "SUBQUERY must be followed by '.@count', '[SIZE]' or an aggregate such as '.@sum.age'.")
        }
        var inner = self
        inner.variables.append(variable)
        let value: QueryExpression =
            keys.count == 1 ? .evaluatedObject : .keyPath(keys.dropFirst().joined(separator: "."))
        guard aggregate == .count ? keys.count == 1 : keys.count > 1 else {
            throw FormatEvaluationError("'\(keys.joined(separator: "."))' is not a valid path of a SUBQUERY.")
        }
        return .aggregate(aggregate, value, over: keyPath, where: try inner.predicate(condition))
    }

    private func function(
        _ name: String, _ arguments: [ExpressionFormat]
    ) throws(FormatEvaluationError) -> QueryExpression {
        switch (FormatFunction.exactly(name)?.meaning, arguments.first) {
        case (.value(let function), _): return .function(function, try arguments.map(expression))
        case (.now, nil): return .now
        case (.noIndex, let argument?): return try expression(argument)
        case (.aggregate(.count), .subquery(let collection, let variable, let condition)) where arguments.count == 1:
            return try subquery(collection, variable, condition, [Self.count])
        case (.aggregate(.count), .path(let base, let keys)) where arguments.count == 1:
            return try path(base, keys + [Self.count])
        case (.aggregate(let aggregate), .path(let base, let keys)) where arguments.count == 1 && keys.count > 1:
            return try path(base, keys.dropLast() + [aggregate.pathKey] + keys.suffix(1))
        default: throw FormatEvaluationError("'\(name)' is not supported by stores in this form.")
        }
    }

    private static let count = ValueRequest.Aggregate.count.pathKey
}
