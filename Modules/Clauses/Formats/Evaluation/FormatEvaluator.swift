import CofferStorage
import CofferStorageTools
import Foundation

/// Evaluates a syntax tree for one object in memory: `AND`, quantifiers, variables, `SUBQUERY` and indexes.
struct FormatEvaluator {
    private var object = FormatOperand.null
    private var variables: [String: FormatOperand] = [:]
    /// The current time, which is the same for the whole condition.
    private let now = Value.date(Date())

    init(_ object: Any?, _ variables: [String: Any]) throws(FormatEvaluationError) {
        if let object { self.object = try value(of: ExpressionFormat(object, named: "The value to be evaluated")) }
        for (name, value) in variables {
            self.variables[name] = try self.value(of: ExpressionFormat(value, named: "The value of '$\(name)'"))
        }
    }

    mutating func holds(_ predicate: PredicateFormat) throws(FormatEvaluationError) -> Bool {
        switch predicate {
        case .constant(let holds): return holds
        case .comparison(let comparison): return try holds(comparison)
        case .not(let part): return try !holds(part)
        case .and(let parts):
            for part in parts where try !holds(part) { return false }
            return true
        case .or(let parts):
            for part in parts where try holds(part) { return true }
            return false
        }
    }

    private mutating func holds(_ comparison: PredicateFormat.Comparison) throws(FormatEvaluationError) -> Bool {
        let left = try value(of: comparison.left)
        let right = try value(of: comparison.right)
        let test = FormatComparison(symbol: comparison.operator, options: comparison.options)
        if comparison.quantifier == .one { return try test.holds(left, right) }
        let members = try left.members(for: comparison.quantifier.rawValue.uppercased(), " on its left side")
        let wanted = comparison.quantifier != .all
        for member in members where try test.holds(member, right) == wanted { return comparison.quantifier == .any }
        return comparison.quantifier != .any
    }

    private mutating func value(of expression: ExpressionFormat) throws(FormatEvaluationError) -> FormatOperand {
        switch expression {
        case .constant(let constant): return .value(constant.value)
        case .evaluatedObject: return object
        case .variable(let name):
            guard let value = variables[name] else { throw FormatEvaluationError("'$\(name)' has no value.") }
            return value
        case .assignment(let name, let value):
            let value = try self.value(of: value)
            variables[name] = value
            return value
        case .path(let base, let keys):
            return try FormatPath.value(of: keys[...], in: try value(of: base))
        case .index(let base, let index): return try element(of: base, index)
        case .collection(let members): return .list(try values(of: members))
        case .dictionary(let entries):
            var values: [String: FormatOperand] = [:]
            for (key, value) in entries { values[key] = try self.value(of: value) }
            return .keyed(values)
        case .unary(let symbol, let operand):
            return try FormatComputation.value(symbol.function, [try value(of: operand)])
        case .binary(let symbol, let left, let right):
            return try FormatComputation.value(symbol, try value(of: left), try value(of: right))
        case .function(let name, let arguments):
            return try FormatComputation.value(name, try values(of: arguments), now: now)
        case .subquery(let collection, let variable, let condition):
            return try members(of: collection, variable, condition)
        case .conditional(let condition, let first, let second):
            return try value(of: try holds(condition) ? first : second)
        case .cast(let operand, let type): return try FormatComputation.cast(try value(of: operand), type)
        case .call(_, let selector, _):
            throw FormatEvaluationError("The method '\(selector)' is not supported. Use a function of format strings.")
        case .fetch: throw FormatEvaluationError("FETCH cannot be evaluated without a store.")
        }
    }

    private mutating func values(
        of expressions: [ExpressionFormat]
    ) throws(FormatEvaluationError) -> [FormatOperand] {
        try expressions.map { expression throws(FormatEvaluationError) in try value(of: expression) }
    }

    private mutating func members(
        of collection: ExpressionFormat, _ variable: String, _ condition: PredicateFormat
    ) throws(FormatEvaluationError) -> FormatOperand {
        let members = try value(of: collection).members(for: "SUBQUERY")
        let outer = variables[variable]
        defer { variables[variable] = outer }
        var found: [FormatOperand] = []
        for member in members {
            variables[variable] = member
            if try holds(condition) { found.append(member) }
        }
        return .list(found)
    }

    private mutating func element(
        of base: ExpressionFormat, _ index: ExpressionFormat.Index
    ) throws(FormatEvaluationError) -> FormatOperand {
        let base = try value(of: base)
        if case .keyed(let entries) = base, case .at(let position) = index,
            case .value(.text(let key)) = try value(of: position)
        {
            return entries[key] ?? .null
        }
        let members = try base.members(for: "An index")
        switch index {
        case .first: return members.first ?? .null
        case .last: return members.last ?? .null
        case .size: return .value(.integer(Int64(members.count)))
        case .at(let position):
            guard case .value(.integer(let number)) = try value(of: position),
                let place = Int(exactly: number), members.indices.contains(place)
            else {
                throw FormatEvaluationError("The index must be a whole number below \(members.count).")
            }
            return members[place]
        }
    }
}
