import CofferEvaluation
import CofferStorage
import CofferStorageTools

/// Evaluates functions, operators, `CAST` and set operations of a format string in memory, and creates their errors.
enum FormatComputation {
    static func value(
        _ symbol: ExpressionFormat.BinaryOperator, _ left: FormatOperand, _ right: FormatOperand
    ) throws(FormatEvaluationError) -> FormatOperand {
        if let function = symbol.function { return try value(function, [left, right]) }
        guard let a = left.members, let b = right.members else {
            throw FormatEvaluationError("\(symbol.rawValue) needs collections, not \(left.kind) and \(right.kind).")
        }
        return switch symbol {
        case .union: .list(distinct(a + b))
        case .intersect: .list(distinct(a).filter { member in b.contains { $0.isEqual(to: member) } })
        default: .list(a.filter { member in !b.contains { $0.isEqual(to: member) } })
        }
    }

    static func value(
        _ function: ValueFunction, _ operands: [FormatOperand]
    ) throws(FormatEvaluationError) -> FormatOperand {
        let values = try operands.map { operand throws(FormatEvaluationError) in
            guard case .value(let value) = operand, value.kind.map(function.takes) ?? true else {
                let wanted = function.isForText ? "strings" : (function.isForIntegers ? "whole numbers" : "numbers")
                throw FormatEvaluationError("'\(function)' needs \(wanted), not \(operand.kind).")
            }
            return value
        }
        return .value(function.result(values))
    }

    static func value(
        _ name: String, _ arguments: [FormatOperand], now: Value
    ) throws(FormatEvaluationError) -> FormatOperand {
        switch FormatFunction.exactly(name)?.meaning {
        case .value(let function): return try value(function, arguments)
        case .aggregate(let aggregate): return try value(aggregate, of: members(arguments, name))
        case .median: return .value(Statistics.median(try values(members(arguments, name), areNumbersFor: name)))
        case .mode: return .list(Statistics.modes(try values(members(arguments, name), for: name)).map { .value($0) })
        case .deviation:
            let numbers = try values(members(arguments, name), areNumbersFor: name)
            return .value(Statistics.deviation(numbers.compactMap(Number.init)))
        case .now: return .value(now)
        case .random: return .value(.double(.random(in: 0..<1)))
        case .randomBelow:
            guard case .value(.integer(let bound))? = arguments.first, bound > 0 else {
                throw FormatEvaluationError("'random:' needs a whole number above 0.")
            }
            return .value(.integer(.random(in: 0..<bound)))
        case .noIndex: return arguments.first ?? .null
        case .distance: throw FormatEvaluationError("'\(name)' needs locations, which are not supported.")
        case .formatString, nil: throw FormatEvaluationError("There is no function '\(name)'.")
        }
    }

    static func cast(_ operand: FormatOperand, _ type: String) throws(FormatEvaluationError) -> FormatOperand {
        guard case .value(let value) = operand else {
            throw FormatEvaluationError("CAST needs a single value, not \(operand.kind).")
        }
        guard let result = ValueCast.result(value, type) else {
            throw FormatEvaluationError("CAST cannot convert \(operand.kind) to '\(type)'.")
        }
        return .value(result)
    }

    /// Returns each value once; of equal values, the first one remains.
    static func distinct(_ values: [FormatOperand]) -> [FormatOperand] {
        var scalars: Set<Value> = []
        var found: [FormatOperand] = []
        for value in values {
            if case .value(let scalar) = value, scalars.contains(scalar) { continue }
            if found.contains(where: { $0.isEqual(to: value) }) { continue }
            if case .value(let scalar) = value { scalars.insert(scalar) }
            found.append(value)
        }
        return found
    }
}

/// Functions of many values; all of them except `count` ignore nulls.
extension FormatComputation {
    static func value(
        _ aggregate: ValueRequest.Aggregate, of members: [FormatOperand]
    ) throws(FormatEvaluationError) -> FormatOperand {
        let values: [Value]
        switch aggregate {
        case .count: return .value(.integer(Int64(members.count)))
        case .sum, .average: values = try self.values(members, areNumbersFor: aggregate.functionName)
        case .minimum, .maximum:
            values = try self.values(members, for: aggregate.functionName)
            if let first = values.first, values.contains(where: { ValueOrdering.compare($0, first) == nil }) {
                throw FormatEvaluationError("Values without an order have no minimum and no maximum.")
            }
        }
        var total = ValueTotal(aggregate, of: nil)
        for value in values { total.add(value) }
        return .value(total.nearest)
    }

    private static func members(
        _ arguments: [FormatOperand], _ name: String
    ) throws(FormatEvaluationError) -> [FormatOperand] {
        arguments.count == 1 ? try arguments[0].members(for: "'\(name)'") : arguments
    }

    private static func values(
        _ members: [FormatOperand], for name: String
    ) throws(FormatEvaluationError) -> [Value] {
        var values: [Value] = []
        for member in members where !member.isNull {
            guard case .value(let value) = member else {
                throw FormatEvaluationError("'\(name)' needs single values, not \(member.kind).")
            }
            values.append(value)
        }
        return values
    }

    private static func values(
        _ members: [FormatOperand], areNumbersFor name: String
    ) throws(FormatEvaluationError) -> [Value] {
        let values = try values(members, for: name)
        guard values.allSatisfy({ $0.kind?.isNumeric == true }) else {
            throw FormatEvaluationError("'\(name)' needs numbers.")
        }
        return values
    }
}
