import CofferEvaluation
import CofferStorage
import Foundation

/// Functions of many values, in which nulls do not take part.
enum FormatAggregate {
    private static let names: Set = [
        "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
    ]

    static func value(_ name: String, _ arguments: [FormatOperand]) throws(FormatEvaluationError) -> FormatOperand {
        guard names.contains(name) else { throw FormatEvaluationError("There is no function '\(name)'.") }
        let members = arguments.count == 1 && !arguments[0].isNull ? arguments[0].members : arguments
        guard let members else {
            throw FormatEvaluationError("'\(name)' needs a collection, not \(arguments[0].kind).")
        }
        if name == "count:" {
            return .value(.integer(Int64(arguments[0].isNull && arguments.count == 1 ? 0 : members.count)))
        }
        var values: [Value] = []
        for member in members where !member.isNull {
            guard case .value(let value) = member else {
                throw FormatEvaluationError("'\(name)' needs single values, not \(member.kind).")
            }
            values.append(value)
        }
        switch name {
        case "min:": return .value(try extreme(values, .orderedAscending))
        case "max:": return .value(try extreme(values, .orderedDescending))
        case "mode:": return .list(modes(values).map { .value($0) })
        default: break
        }
        let numbers = values.compactMap(Number.init)
        guard numbers.count == values.count else {
            throw FormatEvaluationError("'\(name)' needs numbers.")
        }
        switch name {
        case "sum:": return .value(total(numbers).nearestSum(of: nil))
        case "average:": return .value(total(numbers).mean ?? .null)
        case "median:": return .value(median(values))
        default: return .value(deviation(numbers.map(\.double)))
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

    /// The values there are most of, each once, in the order of the first of them.
    private static func modes(_ values: [Value]) -> [Value] {
        var counts: [Value: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        let most = counts.values.max()
        var seen: Set<Value> = []
        return values.filter { counts[$0] == most && seen.insert($0).inserted }
    }

    /// The standard deviation of all there is, not of a sample.
    private static func deviation(_ numbers: [Double]) -> Value {
        guard !numbers.isEmpty else { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
        return .double(variance.squareRoot())
    }
}
