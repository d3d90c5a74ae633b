import CofferStorage

/// A sum in the making, which SQLite hands to us as a pointer.
final class SQLiteTotal {
    static let integerOverflow = "integer overflow"
    static let decimalOverflow = "decimal overflow"

    private var total = NumberTotal()

    func add(_ number: Number) { total.add(number) }

    /// The result; what went wrong is a text that ``SQLiteFailure`` knows.
    ///
    /// A failure is a value: only one that is returned matters.
    func result(_ aggregate: ValueRequest.Aggregate, of kind: ColumnKind, isInCondition: Bool) -> Value {
        let isAverage = aggregate == .average
        if let exact = isAverage ? total.mean : total.sum(of: kind) { return exact }
        if isInCondition { return isAverage ? .null : total.nearestSum(of: kind) }
        return .text(kind == .decimal ? Self.decimalOverflow : Self.integerOverflow)
    }
}
