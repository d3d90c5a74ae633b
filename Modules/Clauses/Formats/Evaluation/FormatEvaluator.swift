import CofferStorage
import CofferStorageTools
import Foundation

/// Evaluates the tree of a format string for one object.
struct FormatEvaluator {
    let object: FormatOperand
    var variables: [String: FormatOperand]
    /// One instant for the whole of the condition.
    private let now = Value.date(Date())

    init(_ object: Any?, _ variables: [String: Any]) throws(FormatEvaluationError) {
        self.object = try Self.operand(object, "The value to be evaluated")
        self.variables = [:]
        for (name, value) in variables { self.variables[name] = try Self.operand(value, "The value of '$\(name)'") }
    }

    private static func operand(_ value: Any?, _ name: String) throws(FormatEvaluationError) -> FormatOperand {
        guard let value else { return .null }
        guard let operand = ExpressionFormat(argument: value).flatMap(FormatOperand.init(constant:)) else {
            throw FormatEvaluationError("\(name) is a '\(type(of: value))', which has neither a value nor keys.")
        }
        return operand
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
        let test = FormatTest(comparison.operator, comparison.options)
        if comparison.quantifier == .one { return try test.holds(left, right) }
        guard let members = left.isNull ? [] : left.members else {
            let word = comparison.quantifier.rawValue.uppercased()
            throw FormatEvaluationError("\(word) needs a collection on its left side, not \(left.kind).")
        }
        let wanted = comparison.quantifier != .all
        for member in members where try test.holds(member, right) == wanted { return comparison.quantifier == .any }
        return comparison.quantifier != .any
    }

    mutating func value(of expression: ExpressionFormat) throws(FormatEvaluationError) -> FormatOperand {
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
            return try FormatComputation.value(symbol == .negate ? .negate : .complement, [try value(of: operand)])
        case .binary(let symbol, let left, let right):
            return try FormatComputation.value(symbol, try value(of: left), try value(of: right))
        case .function("now", []): return .value(now)
        case .function(let name, let arguments):
            return try FormatComputation.value(name, try values(of: arguments))
        case .subquery(let collection, let variable, let condition):
            return try members(of: collection, variable, condition)
        case .conditional(let condition, let first, let second):
            return try value(of: try holds(condition) ? first : second)
        case .cast(let operand, let type): return try FormatComputation.cast(try value(of: operand), type)
        case .call(_, let selector, _):
            throw FormatEvaluationError("There is no method '\(selector)' here. Use a function of the language.")
        case .fetch: throw FormatEvaluationError("FETCH needs a store, which there is none of here.")
        }
    }

    private mutating func values(
        of expressions: [ExpressionFormat]
    ) throws(FormatEvaluationError) -> [FormatOperand] {
        var values: [FormatOperand] = []
        values.reserveCapacity(expressions.count)
        for expression in expressions { values.append(try value(of: expression)) }
        return values
    }

    private mutating func members(
        of collection: ExpressionFormat, _ variable: String, _ condition: PredicateFormat
    ) throws(FormatEvaluationError) -> FormatOperand {
        let collection = try value(of: collection)
        guard let members = collection.isNull ? [] : collection.members else {
            throw FormatEvaluationError("SUBQUERY needs a collection, not \(collection.kind).")
        }
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
        guard let members = base.isNull ? [] : base.members else {
            throw FormatEvaluationError("An index needs a collection, not \(base.kind).")
        }
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

extension FormatOperand {
    /// The value of an argument.
    fileprivate init?(constant: ExpressionFormat) {
        switch constant {
        case .constant(let constant): self = .value(constant.value)
        case .collection(let members): self = .list(members.compactMap(FormatOperand.init(constant:)))
        case .dictionary(let entries): self = .keyed(entries.compactMapValues(FormatOperand.init(constant:)))
        default: return nil
        }
    }
}
