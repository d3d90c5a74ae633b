import CofferEvaluation
import CofferStorage

/// The accumulator of an exact sum or average, for the registered aggregate functions.
final class SQLiteTotal {
    /// The result of an aggregate whose value exceeds its kind.
    ///
    /// The result is a blob, because no sum is a blob. An overflow is a value and not an error, because only an
    /// overflow that the statement returns matters.
    static let overflow = Array("coffer overflow".utf8)

    private var total = NumberTotal()

    func add(_ number: Number) { total.add(number) }

    /// Returns the result; nil if the kind cannot represent it.
    func result(_ aggregate: ValueRequest.Aggregate, of kind: ColumnKind, isInCondition: Bool) -> Value? {
        let isAverage = aggregate == .average
        if let exact = isAverage ? total.mean : total.sum(of: kind) { return exact }
        return isInCondition ? (isAverage ? .null : total.nearestSum(of: kind)) : nil
    }
}
