package import CofferStorage
import Foundation

/// Computes the median, the modes and the standard deviation of values.
///
/// No store computes these functions. The values are not null.
package enum Statistics {
    /// The median, or the mean of the two values in the middle; null if there are no values.
    package static func median(_ values: [Value]) -> Value {
        guard !values.isEmpty else { return .null }
        let sorted = values.sorted { ValueOrdering.compare($0, $1) == .orderedAscending }
        let middle = sorted.count / 2
        if sorted.count % 2 == 1 { return sorted[middle] }
        var mean = ValueTotal(.average, of: nil)
        for value in sorted[(middle - 1)...middle] { mean.add(value) }
        return mean.nearest
    }

    /// The most frequent values, each once, in the order of their first occurrence.
    package static func modes(_ values: [Value]) -> [Value] {
        var counts: [Value: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        let most = counts.values.max()
        var seen: Set<Value> = []
        return values.filter { counts[$0] == most && seen.insert($0).inserted }
    }

    /// The standard deviation of a population, not of a sample; null if there are no numbers.
    package static func deviation(_ numbers: [Number]) -> Value {
        guard !numbers.isEmpty else { return .null }
        let mean = numbers.reduce(0) { $0 + $1.double } / Double(numbers.count)
        let variance = numbers.reduce(0) { $0 + ($1.double - mean) * ($1.double - mean) } / Double(numbers.count)
        return .double(variance.squareRoot())
    }
}
