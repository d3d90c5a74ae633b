import CofferStorage
import Foundation

/// A sum in the making, exact for integers and decimals.
final class SQLiteTotal {
    enum Result {
        case null
        case integer(Int64)
        case double(Double)
        case text(String)
        /// What went wrong, in words that ``SQLiteFailure`` knows.
        case failure(String)
    }

    static let integerOverflow = "integer overflow"
    static let decimalOverflow = "decimal overflow"

    private var count = 0
    private var integers: Int128 = 0
    private var decimals = Decimal()

    func add(_ number: Number) {
        switch number {
        case .integer(let number): integers += Int128(number)
        case .decimal(let number):
            var (left, right, result) = (decimals, number, Decimal())
            let error = NSDecimalAdd(&result, &left, &right, .plain)
            decimals = decimals.isNaN || error != .noError ? .nan : result
        case .double: return
        }
        count += 1
    }

    var sum: Result { Int64(exactly: integers).map(Result.integer) ?? .failure(Self.integerOverflow) }
    /// The sum, or the nearest double.
    var relatedSum: Result { Int64(exactly: integers).map(Result.integer) ?? .double(Double(integers)) }
    var mean: Result { count == 0 ? .null : .double(Double(integers) / Double(count)) }
    var decimalSum: Result { decimals.isNaN ? .failure(Self.decimalOverflow) : .text("\(decimals)") }
    var decimalMean: Result {
        count == 0 ? .null : (decimals.isNaN ? .failure(Self.decimalOverflow) : .text("\(decimals / Decimal(count))"))
    }
}
