import CofferEvaluation
import CofferStorage

/// The accumulator of an exact sum or average, for the registered aggregate functions.
final class SQLiteTotal {
    /// The result of an aggregate whose value its kind cannot hold.
    ///
    /// It is a blob, which no sum is. A failure is a value: only one that is returned matters.
    static let overflow = Array("coffer overflow".utf8)

    private var total = NumberTotal()

    func add(_ number: Number) { total.add(number) }

    /// The result; nil for one that the kind cannot hold.
    func result(_ aggregate: ValueRequest.Aggregate, of kind: ColumnKind, isInCondition: Bool) -> Value? {
        let isAverage = aggregate == .average
        if let exact = isAverage ? total.mean : total.sum(of: kind) { return exact }
        return isInCondition ? (isAverage ? .null : total.nearestSum(of: kind)) : nil
    }
}
