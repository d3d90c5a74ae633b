import CofferEvaluation
import CofferStorage
import Foundation

/// Operators, functions and casts, computed.
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
        var values: [Value] = []
        for operand in operands {
            guard case .value(let value) = operand, function.takes(value) else {
                let wanted = function.isForText ? "texts" : (function.isForIntegers ? "whole numbers" : "numbers")
                throw FormatEvaluationError("'\(function)' needs \(wanted), not \(operand.kind).")
            }
            values.append(value)
        }
        return .value(function.result(values))
    }

    static func value(
        _ name: String, _ arguments: [FormatOperand]
    ) throws(FormatEvaluationError) -> FormatOperand {
        if let function = ValueFunction(format: name) { return try value(function, arguments) }
        switch name {
        case "random": return .value(.double(.random(in: 0..<1)))
        case "random:":
            guard case .value(.integer(let bound))? = arguments.first, bound > 0 else {
                throw FormatEvaluationError("'random:' needs a whole number above 0.")
            }
            return .value(.integer(.random(in: 0..<bound)))
        case "noindex:": return arguments.first ?? .null
        case "distanceToLocation:fromLocation:":
            throw FormatEvaluationError("'\(name)' needs locations, which no value is.")
        default: return try FormatAggregate.value(name, arguments)
        }
    }

    static func cast(_ operand: FormatOperand, _ type: String) throws(FormatEvaluationError) -> FormatOperand {
        guard case .value(let value) = operand else {
            throw FormatEvaluationError("CAST needs a single value, not \(operand.kind).")
        }
        if value.isNull { return .null }
        guard let result = FormatCast.result(value, type) else {
            throw FormatEvaluationError("CAST cannot make a '\(type)' of \(operand.kind).")
        }
        return .value(result)
    }

    /// Each value once, in the order of the first of them.
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

extension ValueFunction {
    /// The function that a name of the language means; nil for one that is not computed of single values.
    init?(format name: String) {
        guard let function = Self.formats[name] else { return nil }
        self = function
    }

    private static let formats: [String: ValueFunction] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
        "modulus:by:": .modulus, "raise:toPower:": .power, "sqrt:": .squareRoot, "log:": .commonLogarithm,
        "ln:": .naturalLogarithm, "exp:": .exponential, "floor:": .floor, "ceiling:": .ceiling, "abs:": .absolute,
        "trunc:": .truncate, "uppercase:": .uppercase, "lowercase:": .lowercase, "canonical:": .canonical,
        "length:": .length, "bitwiseAnd:with:": .bitwiseAnd, "bitwiseOr:with:": .bitwiseOr,
        "bitwiseXor:with:": .bitwiseXor, "leftshift:by:": .shiftLeft, "rightshift:by:": .shiftRight,
        "onesComplement:": .complement,
    ]

    fileprivate func takes(_ value: Value) -> Bool {
        switch value {
        case .null: true
        case .text: isForText
        case .boolean, .integer: !isForText
        case .double, .decimal: !isForText && !isForIntegers
        case .blob, .date, .object: false
        }
    }
}

extension ExpressionFormat.BinaryOperator {
    /// What the operator computes of single values; nil for those of collections.
    var function: ValueFunction? {
        switch self {
        case .union, .intersect, .minus: nil
        case .bitwiseOr: .bitwiseOr
        case .bitwiseXor: .bitwiseXor
        case .bitwiseAnd: .bitwiseAnd
        case .shiftLeft: .shiftLeft
        case .shiftRight: .shiftRight
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .power: .power
        }
    }
}
