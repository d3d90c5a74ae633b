import CofferStorage
import Foundation

/// Functions of many values, in which nulls do not take part.
enum FormatAggregate {
    private static let names: Set = [
        "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
    ]

    static func value(_ name: String, _ arguments: [FormatOperand]) throws(FormatEvaluationError) -> Value {
        guard names.contains(name) else { throw FormatEvaluationError("There is no function '\(name)'.") }
        let members = arguments.count == 1 && !arguments[0].isNull ? arguments[0].members : arguments
        guard let members else {
            throw FormatEvaluationError("'\(name)' needs a collection, not \(arguments[0].kind).")
        }
        if name == "count:" { return .integer(Int64(arguments[0].isNull && arguments.count == 1 ? 0 : members.count)) }
        var values: [Value] = []
        for member in members where !member.isNull {
            guard case .value(let value) = member else {
                throw FormatEvaluationError("'\(name)' needs single values, not \(member.kind).")
            }
            values.append(value)
        }
        switch name {
        case "min:": return try extreme(values, .orderedAscending)
        case "max:": return try extreme(values, .orderedDescending)
        case "mode:": return mode(values)
        default: break
        }
        let numbers = values.compactMap(Number.init)
        guard numbers.count == values.count else {
            throw FormatEvaluationError("'\(name)' needs numbers.")
        }
        switch name {
        case "sum:": return total(numbers).nearestSum(of: nil)
        case "average:": return total(numbers).mean ?? .null
        case "median:": return median(values)
        default: return deviation(numbers.map(\.double))
        }
    }

    private static func total(_ numbers: [Number]) -> NumberTotal {
        var total = NumberTotal()
        for number in numbers { total.add(number) }
        return total
    }

    private static func extreme(_ values: [Value], _ order: ComparisonResult) throws(FormatEvaluationError) -> Value {
        guard var best = values.first else { return .null }
        for value in values.dropFirst() {
            guard let result = ValueOrdering.compare(value, best) else {
                throw FormatEvaluationError("A smallest or greatest of values that have no order was asked for.")
            }
            if result == order { best = value }
        }
        return best
    }

    private static func median(_ values: [Value]) -> Value {
        guard !values.isEmpty else { return .null }
        let sorted = values.sorted { ValueOrdering.compare($0, $1) == .orderedAscending }
        let middle = sorted.count / 2
        if sorted.count % 2 == 1 { return sorted[middle] }
        return total(sorted[(middle - 1)...middle].compactMap(Number.init)).mean ?? .null
    }

    /// The value there is most of; of several, the one that comes first.
    private static func mode(_ values: [Value]) -> Value {
        var counts: [Value: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        let most = counts.values.max()
        return values.first { counts[$0] == most } ?? .null
    }

    /// The standard deviation of all there is, not of a sample.
    private static func deviation(_ numbers: [Double]) -> Value {
        guard !numbers.isEmpty else { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
        return .double(variance.squareRoot())
    }
}
