import CofferStorage
import Foundation

/// Converts columns of a result to values.
extension PostgreSQLResult {
    /// Returns a column as a value of a kind; nil if the column is not null and has no value of this kind.
    ///
    /// - Parameter kind: nil for a number of either kind.
    func value(_ row: Int, _ column: Int, as kind: ColumnKind?) -> Value? {
        if isNull(row, column) { return .null }
        let bytes = bytes(row, column)
        switch (kind, type(column)) {
        case (.text, PostgreSQLType.text): return .text(PostgreSQLText.string(bytes))
        case (.blob, PostgreSQLType.bytea): return .blob(Data(bytes))
        case (.boolean, PostgreSQLType.boolean): return .boolean(bytes.first != 0)
        case (.integer, PostgreSQLType.bigint), (.reference, PostgreSQLType.bigint), (nil, PostgreSQLType.bigint):
            return bytes.bigEndian().map(Value.integer)
        case (.double, PostgreSQLType.double), (nil, PostgreSQLType.double):
            return bytes.bigEndian().map { .double(Double(bitPattern: UInt64(bitPattern: $0)) + 0) }
        case (.date, PostgreSQLType.double):
            return bytes.bigEndian().map { .date(Double(bitPattern: UInt64(bitPattern: $0)) + 0) }
        case (.decimal, PostgreSQLType.numeric): return PostgreSQLNumeric.decimal(bytes).map(Value.decimal)
        default: return nil
        }
    }
}
