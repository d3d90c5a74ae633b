import CofferEvaluation
import CofferStorage
import Foundation

extension ValueOrdering {
    /// Compares two lists of values that sort rows, with the direction of each value; nil if all values are equal.
    static func precedes(_ left: [Value], _ right: [Value], _ ascending: [Bool]) -> Bool? {
        for (index, isAscending) in ascending.enumerated() {
            let order = sortOrder(left[index], right[index])
            if order != .orderedSame { return (order == .orderedAscending) == isAscending }
        }
        return nil
    }
}
