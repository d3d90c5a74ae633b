import CofferStorage
import Foundation

/// Compiles comparisons of a column with a constant to closures that create no `Value`.
extension PredicateCompiler {
    typealias Test = CompiledPredicate.Test

    /// Returns a test; nil if the column and the constant do not have the same simple kind.
    func columnTest(
        _ slot: Int, _ kind: ColumnKind, _ comparison: RowPredicate.Comparison, _ constant: Value
    ) -> Test? {
        switch (kind, constant) {
        case (_, .null):
            switch comparison {
            case .equal: { row, _ in !row.holds(slot) }
            case .notEqual: { row, _ in row.holds(slot) }
            default: { _, _ in false }
            }
        case (.integer, .integer(let number)), (.reference, .integer(let number)):
            integerTest(slot, comparison, number)
        case (.integer, .boolean(let flag)):
            integerTest(slot, comparison, flag ? 1 : 0)
        case (.double, .double(let number)), (.date, .date(let number)):
            doubleTest(slot, comparison, number)
        case (.double, .integer(let number)):
            Double(exactly: number).map { doubleTest(slot, comparison, $0) }
        case (.boolean, .boolean(let flag)):
            switch comparison {
            case .equal: { row, _ in row.holds(slot) && row.boolean(slot) == flag }
            case .notEqual: { row, _ in !row.holds(slot) || row.boolean(slot) != flag }
            default: nil
            }
        case (.text, .text(let text)):
            bytesTest(slot, comparison, Array(text.utf8))
        case (.blob, .blob(let data)):
            bytesTest(slot, comparison, Array(data))
        default:
            nil
        }
    }

    private func integerTest(_ slot: Int, _ comparison: RowPredicate.Comparison, _ number: Int64) -> Test {
        switch comparison {
        case .equal: { row, _ in row.holds(slot) && row.integer(slot) == number }
        case .notEqual: { row, _ in !row.holds(slot) || row.integer(slot) != number }
        case .less: { row, _ in row.holds(slot) && row.integer(slot) < number }
        case .lessOrEqual: { row, _ in row.holds(slot) && row.integer(slot) <= number }
        case .greater: { row, _ in row.holds(slot) && row.integer(slot) > number }
        case .greaterOrEqual: { row, _ in row.holds(slot) && row.integer(slot) >= number }
        }
    }

    private func doubleTest(_ slot: Int, _ comparison: RowPredicate.Comparison, _ number: Double) -> Test {
        switch comparison {
        case .equal: { row, _ in row.holds(slot) && row.double(slot) == number }
        case .notEqual: { row, _ in !row.holds(slot) || row.double(slot) != number }
        case .less: { row, _ in row.holds(slot) && row.double(slot) < number }
        case .lessOrEqual: { row, _ in row.holds(slot) && row.double(slot) <= number }
        case .greater: { row, _ in row.holds(slot) && row.double(slot) > number }
        case .greaterOrEqual: { row, _ in row.holds(slot) && row.double(slot) >= number }
        }
    }

    private func bytesTest(_ slot: Int, _ comparison: RowPredicate.Comparison, _ constant: [UInt8]) -> Test {
        let compare: @Sendable (Row) -> ComparisonResult = { row in
            row.withBytes(slot) { bytes in
                constant.withUnsafeBufferPointer { ByteOrder.compare(bytes, $0) }
            }
        }
        let isEqual: @Sendable (Row) -> Bool = { row in
            row.withBytes(slot) { bytes in
                guard bytes.count == constant.count else { return false }
                guard let address = bytes.baseAddress, !constant.isEmpty else { return true }
                return memcmp(address, constant, constant.count) == 0
            }
        }
        return switch comparison {
        case .equal: { row, _ in row.holds(slot) && isEqual(row) }
        case .notEqual: { row, _ in !row.holds(slot) || !isEqual(row) }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            { row, _ in row.holds(slot) && comparison.holds(compare(row)) }
        }
    }
}
